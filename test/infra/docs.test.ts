import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { STAGE_NAMES } from '#infra/config.ts';
import {
  apiStackName,
  dashboardStackName,
  dataStackName,
  hashKeyName,
  KEYS_VARIABLES,
  keysName,
  providerSecretName,
} from '#infra/constructs/names.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { tour } from '#infra/local/welcome/tour.ts';
import { operationsProgram } from '#infra/ops/program.ts';
import { watchStackName } from '#infra/stacks/watch-stack.ts';
import { initializeCheckoutContract } from '#shared/contract/checkouts/initialize-checkout.ts';
import { verifyCheckoutContract } from '#shared/contract/checkouts/verify-checkout.ts';
import { createVirtualAccountsContract } from '#shared/contract/virtual-accounts/create-virtual-accounts.ts';
import { providerName } from '#shared/domain/providers/provider.ts';

const DOCS = 'infra/docs';
/** Folders of the repository, and files at its top, that a page may point into. */
const PLACES = new Set([
  ...['functions', 'infra', 'shared', 'test'],
  ...['package.json', 'cdk.json', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
]);

/** Every match of the first group. */
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchorsOf = (page: string): string[] => all(page, /^#+ (.+)$/gm).map(anchorOf);

const MARKDOWN = /\.md$/;
/** Every page of the documentation, and the pages at the top of the repository. */
const PAGES = [
  ...readdirSync('.').filter((name) => MARKDOWN.test(name)),
  ...readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((name) => MARKDOWN.test(name))
    .map((name) => join(DOCS, name)),
].sort();
/** The pages for operators, which name log events, metrics and variables. */
const FOR_OPERATORS = readdirSync(DOCS)
  .filter((name) => MARKDOWN.test(name) && !['README.md', 'walkthrough.md'].includes(name))
  .sort();
const read = (name: string): Promise<string> => readFile(join(DOCS, name), 'utf8');

/** The lines of shell blocks, with continued lines joined, and the code in sentences. */
const codeOf = (page: string): string[] => [
  ...all(page, /^ *```sh\n([\s\S]*?)^ *```/gm).flatMap((block) => block.replace(/\\\n\s*/g, ' ').split('\n')),
  ...all(page, /`([^`\n]+)`/g),
];

const program = operationsProgram({
  connect: () => Promise.reject(new Error('This program is not run.')),
  out: () => undefined,
  err: () => undefined,
});

/** The problem of the words after `ops --`; undefined when the command and its options exist. */
const wrongUse = (words: readonly string[]): string | undefined => {
  let command: Command = program;
  const known: Command[] = [program];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('-')) {
      const option = known.flatMap(({ options }) => options).find(({ long, short }) => word === long || word === short);
      if (!option && word !== '--help') return `there is no option ${word}`;
      if (option?.required) at += 1;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word);
    if (!next && command.commands.length > 0) return `there is no command ${word}`;
    if (!next) continue;
    command = next;
    known.push(next);
  }
  return command.commands.length > 0 && !words.includes('--help') ? 'it names no command' : undefined;
};

describe('the commands in the pages', () => {
  const [, ...steps] = tour('http://127.0.0.1:3000', { keys: [] }).map(({ command }) => command);

  test('of the walk-through are those that npm start prints', async () => {
    const page = await read('walkthrough.md');
    for (const command of steps) expect(page).toContain(command);
  });

  test('of the README are those that npm start prints, but for virtual accounts', async () => {
    const page = await readFile('README.md', 'utf8');
    for (const command of steps.slice(1)) expect(page).toContain(command);
  });

  test('have example answers that match their contracts', async () => {
    const answers = all(await read('walkthrough.md'), /^```json\n([\s\S]*?)^```/gm).map((text) => JSON.parse(text));
    const contracts = [createVirtualAccountsContract, initializeCheckoutContract, verifyCheckoutContract];
    expect(answers).toHaveLength(contracts.length);
    contracts.forEach(({ success }, i) => {
      expect(success.body.parse(answers[i])).toEqual(answers[i]);
    });
  });
});

describe('the walk-through', () => {
  test('lists every endpoint of the manifest, and links every function', async () => {
    const page = await read('walkthrough.md');
    const rows = all(page, /^\| `((?:GET|POST|PATCH|DELETE) \/[^`]+)` \|/gm);
    const endpoints = FUNCTIONS.flatMap(({ trigger }) =>
      trigger.kind === 'endpoint' ? [`${trigger.contract.method} ${trigger.contract.path.replace('/api/v1', '')}`] : [],
    );
    expect(rows.sort()).toEqual(endpoints.sort());
    const linked = all(page, /\]\(\.\.\/\.\.\/functions\/([\w-]+)\/handler\.ts\)/g);
    expect(linked.sort()).toEqual(FUNCTIONS.map(({ name }) => name).sort());
  });
});

describe.each(PAGES)('the page %s', (path) => {
  let page: string;
  beforeAll(async () => {
    page = await readFile(path, 'utf8');
  });

  test('has no dead links', async () => {
    for (const link of all(page, /\]\(([^)\s]+)\)/g).filter((target) => !/^https:/.test(target))) {
      const [to = '', anchor] = link.split('#');
      const target = to === '' ? path : join(dirname(path), to);
      expect([link, existsSync(target)]).toEqual([link, true]);
      if (anchor) expect(anchorsOf(await readFile(target, 'utf8'))).toContain(anchor);
    }
  });

  test('names only files that exist', () => {
    const named = all(page, /(?<![\w./-])((?:functions|infra|shared|test)\/[\w./-]+\.(?:ts|md|json))\b/g);
    const tops = all(page, /`([\w.-]+\.(?:json|md))`/g).filter((file) => PLACES.has(file));
    expect([...named, ...tops].filter((file) => !existsSync(file))).toEqual([]);
  });

  test('names only scripts, stages and functions that exist', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    const run = all(page, /npm run (?:--silent |-s )?([\w:-]+)/g);
    expect(run.filter((script) => scripts[script] === undefined)).toEqual([]);
    const stages = all(page, /(?:-c stage=|--stage )(\w+)/g);
    expect(stages.filter((stage) => !STAGE_NAMES.includes(stage))).toEqual([]);
    const functions = all(
      page,
      /payments-(?:prod|\$STAGE)-((?:deliver|receive|sweep|check|create|initialize)-[a-z-]+)/g,
    );
    expect(functions.filter((one) => !FUNCTIONS.some((spec) => spec.name === one))).toEqual([]);
  });

  test('names only stacks, secrets and outputs that exist', async () => {
    const stacks = all(page, /--stack-name "?(payments-[\w$-]+)/g).map((stack) => stack.replace('$STAGE', 'prod'));
    const made = [dataStackName, apiStackName, dashboardStackName, watchStackName].map((nameOf) => nameOf('prod'));
    expect(stacks.filter((stack) => !made.includes(stack))).toEqual([]);
    const secrets = all(page, /(\/payments\/prod\/[\w/-]+)/g);
    const kept = [
      hashKeyName('prod'),
      ...KEYS_VARIABLES.map((variable) => keysName('prod', variable)),
      ...providerName.options.map((provider) => providerSecretName('prod', provider)),
    ];
    expect(secrets.filter((secret) => !kept.includes(secret))).toEqual([]);
    const outputs = all(page, /OutputKey=='(\w+)'/g);
    const source = await Promise.all(
      [
        ...['api', 'data', 'watch'].map((name) => `infra/stacks/${name}-stack.ts`),
        'infra/constructs/public-api.ts',
      ].map((path) => readFile(path, 'utf8')),
    );
    expect(outputs.filter((output) => !source.join('').includes(output))).toEqual([]);
  });

  test('names only operations commands and options that exist', () => {
    const asked = codeOf(page).flatMap((line) => all(line, /npm run --silent ops -- (.*?)(?:\s+#.*)?$/g));
    const bare = codeOf(page).filter((line) =>
      program.commands.some((one) => new RegExp(`^${one.name()} [a-z]+( --?[a-z]| [a-z]+_|$)`).test(line)),
    );
    const wrong = [...asked, ...bare].map((line) => [line, wrongUse(line.match(/"[^"]*"|\S+/g) ?? [])]);
    expect(wrong.filter(([, what]) => what !== undefined)).toEqual([]);
  });
});

describe.each(FOR_OPERATORS)('the page for operators %s', (name) => {
  let page: string;
  beforeAll(async () => {
    page = await read(name);
  });

  test('names only log events, metrics and variables that exist', async () => {
    const texts = async (...paths: readonly string[]): Promise<string> =>
      (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('\n');
    const env = await texts(...readdirSync('shared/env').map((name) => join('shared/env', name)));
    const known = await texts(
      'shared/observability/log.ts',
      'shared/observability/metrics.ts',
      'shared/contract/kernel/errors.ts',
      'shared/contract/checkouts/initialize-checkout.ts',
      'shared/contract/checkouts/checkout-view.ts',
      'shared/contract/money/payment-view.ts',
      'shared/domain/money/notification.ts',
    );
    const FIELDS = [
      ...['next_cursor', 'provider_reference', 'request_id', 'error_name', 'error_cause', 'error_place'],
      // Of request_answered.
      ...['key_id', 'source_ip', 'changed_ids'],
    ];
    const events = all(page, /event (?:=|in) \[?"(\w+)"/g);
    const words = all(page, /`([a-z]+(?:_[a-z]+)+)`/g).filter((word) => !FIELDS.includes(word));
    expect([...events, ...words].filter((word) => !known.includes(word) && !env.includes(word))).toEqual([]);
    const variables = all(page, /`([A-Z]+(?:_[A-Z]+)+)`/g).filter((word) => !/^(AWS|ROLLBACK|CREATE)_/.test(word));
    expect(variables.filter((word) => !env.includes(word))).toEqual([]);
  });
});

describe('the page about a lost region', () => {
  let page: string;
  beforeAll(async () => {
    page = await read('lost-region.md');
  });

  test('says that one region writes and why, and how long each part of a move takes', () => {
    expect(page).toContain('**one region that writes**');
    expect(page).toContain('lets the last writer win');
    for (const part of ['noticing', 'what the newest copy lacks', 'restoring the table', 'deploying', 'names']) {
      expect(page).toMatch(new RegExp(`^\\| ${part}`, 'm'));
    }
  });

  test('has copies in a second region and in a second account, of the table and of every secret', () => {
    const [plan = ''] = all(page, /create-backup-plan [^']*'([^']+)'/g);
    const [rule] = JSON.parse(plan).Rules;
    const vaults: string[] = rule.CopyActions.map((copy: { DestinationBackupVaultArn: string }) =>
      copy.DestinationBackupVaultArn.split(':').slice(3, 5).join(' '),
    );
    expect(vaults).toEqual(['eu-central-1 111122223333', 'eu-central-1 444455556666']);
    expect(page).toContain('**Copies of every secret**');
    const [, copied = ''] = /for name in (.*); do +# every secret/.exec(page) ?? [];
    const named = copied.split(' ').map((name) => `/payments/prod/${name}`);
    const made = [hashKeyName('prod'), ...KEYS_VARIABLES.map((variable) => keysName('prod', variable))];
    expect(named).toEqual(expect.arrayContaining(made));
  });

  test('fences the lost region first, and puts the secrets before any function starts', () => {
    const steps = all(
      page.slice(page.indexOf('## The move'), page.indexOf('## When the first')),
      /^(\d\. \*\*[^*]+)/gm,
    );
    expect(steps[0]).toBe('1. **Fence the first region.');
    expect(steps).toHaveLength(8);
    const [data, secret, everything] = [
      'npx cdk deploy payments-prod-data',
      'put-secret-value',
      'npx cdk deploy --all',
    ].map((command) => page.lastIndexOf(command));
    expect(data).toBeLessThan(secret ?? 0);
    expect(secret).toBeLessThan(everything ?? 0);
  });

  test('says that nothing of it was tried', async () => {
    expect(page).toContain('**Nothing of this page was tried**');
    expect(await read('emulator.md')).toContain('Never tried: all of [a lost region](lost-region.md)');
  });
});

test('a script that ends by running another gives it the arguments, as `npm run test:long -- --seed 123` needs', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const ends = Object.values(scripts).flatMap((script) => script.split('&&').slice(-1));
  const running = ends.filter((command) => /\bnpm run\b/.test(command));
  expect(running.length).toBeGreaterThan(0);
  expect(running.filter((command) => !/ --( |$)/.test(command))).toEqual([]);
});
