import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { operationsProgram } from '#infra/ops/program.ts';
import { PAGES } from '#test/support/pages.ts';

const scripts = JSON.parse(readFileSync('package.json', 'utf8')).scripts as Record<string, string>;
const context = { out: () => {}, err: () => {} } as unknown as Parameters<typeof operationsProgram>[0];
const program = operationsProgram(context);

/** The names that npm knows without a script. */
const NPM_OWN = new Set(['ci', 'start', 'test']);

const pages = PAGES.filter((path) => path !== 'CHANGELOG.md').map(
  (path) => [path, readFileSync(path, 'utf8')] as const,
);

/** The scripts that a text runs: `npm run lint` and `npm run --silent ops` run lint and ops. */
const scriptsOf = (text: string): string[] =>
  [...text.matchAll(/\bnpm run (?:--silent )?([a-z][a-z-]*(?::[a-z]+)*)/g)].map(([, name = '']) => name);

/** The words of each operations command that a text writes, without its options: `key revoke`. */
const commandsOf = (text: string): string[][] =>
  [...text.matchAll(/(?:\bnpm run --silent ops --|`ops)((?: --stage \S+| --json| --yes)*)((?: [a-z-]+)+)/g)]
    .map(([, , words = '']) => words.trim().split(' '))
    .filter(([first = '']) => !first.startsWith('-'));

/** The first word that no command of the program has; undefined if there is none. */
const findUnknown = ([word, ...rest]: readonly string[], parent: Command): string | undefined => {
  if (word === undefined || parent.commands.length === 0) return undefined;
  const command = parent.commands.find((child) => child.name() === word);
  return command ? findUnknown(rest, command) : word;
};

test.each(pages)('every npm script that the page %s runs is in package.json', (_, text) => {
  expect(scriptsOf(text).filter((name) => !NPM_OWN.has(name) && !(name in scripts))).toEqual([]);
});

test.each(pages)('every operations command that the page %s writes exists', (_, text) => {
  expect(commandsOf(text).filter((words) => findUnknown(words, program) !== undefined)).toEqual([]);
});

test('scripts and commands are found in the pages, and a command that does not exist is noticed', () => {
  expect(pages.flatMap(([, text]) => scriptsOf(text)).length).toBeGreaterThan(50);
  expect(pages.flatMap(([, text]) => commandsOf(text)).length).toBeGreaterThan(50);
  const words = commandsOf('npm run --silent ops -- --stage "$STAGE" key destroy key_01');
  expect(words.map((command) => findUnknown(command, program))).toEqual(['destroy']);
});
