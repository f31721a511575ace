import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { operationsProgram } from '#infra/ops/program.ts';
import { DOCUMENTS } from '#test/support/pages.ts';

const scripts = JSON.parse(readFileSync('package.json', 'utf8')).scripts as Record<string, string>;
const context = { out: () => {}, err: () => {} } as unknown as Parameters<typeof operationsProgram>[0];
const program = operationsProgram(context);

/** Names of commands that npm has itself, without a script in package.json. */
const NPM_COMMANDS = new Set(['ci', 'start', 'test']);

const documents = DOCUMENTS.filter((path) => path !== 'CHANGELOG.md').map(
  (path) => [path, readFileSync(path, 'utf8')] as const,
);

/** Finds the npm scripts in a text: `npm run lint` and `npm run --silent ops` run lint and ops. */
const findScripts = (text: string): string[] =>
  [...text.matchAll(/\bnpm run (?:--silent )?([a-z][a-z-]*(?::[a-z]+)*)/g)].map(([, name = '']) => name);

/** Finds the operations commands in a text, each as words without options: `key revoke`. */
const findCommands = (text: string): string[][] =>
  [...text.matchAll(/(?:\bnpm run --silent ops --|`ops)((?: --stage \S+| --json| --yes)*)((?: [a-z-]+)+)/g)]
    .map(([, , words = '']) => words.trim().split(' '))
    .filter(([first = '']) => !first.startsWith('-'));

/** Finds the first word that no command has; undefined if there is none. */
const findUnknown = ([word, ...rest]: readonly string[], parent: Command): string | undefined => {
  if (word === undefined || parent.commands.length === 0) return undefined;
  const command = parent.commands.find((child) => child.name() === word);
  return command ? findUnknown(rest, command) : word;
};

test.each(documents)('every npm script in the document %s is in package.json', (_, text) => {
  expect(findScripts(text).filter((name) => !NPM_COMMANDS.has(name) && !(name in scripts))).toEqual([]);
});

test.each(documents)('every operations command in the document %s exists', (_, text) => {
  expect(findCommands(text).filter((words) => findUnknown(words, program) !== undefined)).toEqual([]);
});

test('scripts and commands are found in the documents, and a command that does not exist is noticed', () => {
  expect(documents.flatMap(([, text]) => findScripts(text)).length).toBeGreaterThan(50);
  expect(documents.flatMap(([, text]) => findCommands(text)).length).toBeGreaterThan(50);
  const words = findCommands('npm run --silent ops -- --stage "$STAGE" key destroy key_01');
  expect(words.map((command) => findUnknown(command, program))).toEqual(['destroy']);
});
