import { readdir, readFile } from 'node:fs/promises';
import { FUNCTIONS } from '#infra/functions.ts';

const LONGEST_HANDLER = 40;

describe('the manifest of functions', () => {
  test('names every folder under functions/, and no other', async () => {
    const folders = await readdir('functions');
    expect(FUNCTIONS.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  test('gives every route once', () => {
    const routes = FUNCTIONS.flatMap(({ trigger }) => {
      if (trigger.kind === 'endpoint') return [`${trigger.contract.method} ${trigger.contract.path}`];
      return trigger.kind === 'route' ? [trigger.route] : [];
    });
    expect(new Set(routes).size).toBe(routes.length);
    expect(routes).toContain('$default');
  });

  test.each(FUNCTIONS.map(({ name }) => name))('%s tells its story in 40 lines', async (name) => {
    const lines = (await readFile(`functions/${name}/handler.ts`, 'utf8')).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(LONGEST_HANDLER);
  });
});
