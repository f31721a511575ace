import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { COSTS_PAGE, withTables } from '#infra/costs/page.ts';
import { costTables } from '#infra/costs/tables.ts';
import { DOCUMENTS } from '#test/support/pages.ts';

/** Lists the texts of a pattern's first group. */
const matchAll = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group);

/** Lists the anchors that GitHub gives the headings of a document. */
const listAnchors = (page: string): string[] =>
  matchAll(page, /^#+ (.+)$/gm).map((heading) =>
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
  const page = await readFile(COSTS_PAGE, 'utf8');
  expect(withTables(page, costTables())).toBe(page);
});
