import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { COSTS_DOCUMENT, withTables } from '#infra/costs/page.ts';
import { costTables } from '#infra/costs/tables.ts';
import { DOCUMENTS } from '#test/support/pages.ts';

/** Lists the texts of a pattern's first group. */
const matchAll = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group);

/** Lists the anchors that GitHub gives the headings of a document. */
const listAnchors = (document: string): string[] =>
  matchAll(document, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

test.each(DOCUMENTS)(
  'every link in the document %s leads to a file of the repository and a heading in it',
  async (path) => {
    const links = matchAll(await readFile(path, 'utf8'), /\]\(([^)\s]+)\)/g).filter((link) => !/^https?:/.test(link));
    const dead: string[] = [];
    for (const link of links) {
      const [to = '', anchor] = link.split('#');
      const target = to === '' ? path : join(dirname(path), to);
      const isThere = !target.startsWith('..') && existsSync(target);
      if (!isThere || (anchor && !listAnchors(await readFile(target, 'utf8')).includes(anchor))) dead.push(link);
    }
    expect(dead).toEqual([]);
  },
);

test('costs.md has the tables that `npm run costs` makes from the counted steps, the alarms and the prices', async () => {
  const document = await readFile(COSTS_DOCUMENT, 'utf8');
  expect(withTables(document, costTables())).toBe(document);
});

/** Words of programs that are not ours. */
const FOREIGN_WORDS = new Set([
  // States, errors, actions and fields of AWS.
  'CREATE_FAILED',
  'ROLLBACK_FAILED',
  'AlreadyExists',
  'CreateGrant',
  'DeleteRouteSettings',
  'DescribeContinuousBackups',
  'DescribeKey',
  'CreationDate',
  'KeyRangeThroughput',
  'MaxOnDemandThroughput',
  'diagnosticCode',
  'initDurationMs',
  'isCrossAccountBackupEnabled',
  // The emulator of AWS, a Python package.
  'has_any',
  'lambda_runtime',
  // A path of Paystack's API.
  'retry_with_customer_details',
]);

/** A word in camelCase, PascalCase, snake_case or UPPER_CASE, with two humps or an underscore. */
const IDENTIFIER = /^(?:[a-z][a-z\d]*(?:[A-Z][A-Za-z\d]*)+|(?:[A-Z][a-z\d]+){2,}|[A-Za-z\d]+(?:_[A-Za-z\d]+)+)$/;
const CODE_PATH = /^[\w./-]+\.tsx?$/;

const CODE_FILES = ['functions', 'infra', 'shared', 'test', '.']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== '.', encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => /\.(?:ts|tsx|js|mjs|json|css|py|sh|yaml)$/.test(path) && !/node_modules|(?:^|\/)\./.test(path))
  // This file names the words of others.
  .filter((path) => !path.endsWith('/docs.test.ts'));

const CODE_WORDS = new Set(CODE_FILES.flatMap((path) => `${path} ${readFileSync(path, 'utf8')}`.match(/\w+/g) ?? []));

/** Lists the words between backticks that look like code, without code blocks. */
const listCodeWords = (page: string): string[] =>
  matchAll(page.replace(/^```[\s\S]*?^```$/gm, ''), /`([^`\n]+)`/g).flatMap((code) => [
    ...code.split(/\s+/).filter((path) => CODE_PATH.test(path)),
    ...code.split(/\W+/).filter((word) => IDENTIFIER.test(word)),
  ]);

const isKnown = (word: string): boolean =>
  CODE_PATH.test(word)
    ? CODE_FILES.some((path) => path === word || path.endsWith(`/${word}`))
    : CODE_WORDS.has(word) || FOREIGN_WORDS.has(word);

/** Documents about the past. They name what the code no longer has. */
const HISTORY = /^CHANGELOG\.md$|^docs\/internals\/readings\//;

test.each(DOCUMENTS.filter((path) => !HISTORY.test(path)))(
  'every word of code in the document %s occurs in a file of the repository',
  async (path) => {
    const words = listCodeWords(await readFile(path, 'utf8'));
    expect(words.filter((word) => !isKnown(word))).toEqual([]);
  },
);

test('every foreign word is in a document and not in our code', async () => {
  const pages = await Promise.all(
    DOCUMENTS.filter((path) => !HISTORY.test(path)).map((path) => readFile(path, 'utf8')),
  );
  const used = new Set(pages.flatMap(listCodeWords));
  expect([...FOREIGN_WORDS].filter((word) => !used.has(word) || CODE_WORDS.has(word))).toEqual([]);
});
