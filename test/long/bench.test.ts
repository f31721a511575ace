import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/* Only the section “calls” runs here, because its counts are the same on every machine. `npm run bench` also runs the sections that measure time. */

test('the bench starts, and no request exceeds its budget of calls, steps and units', async () => {
  const { stdout } = await run(process.execPath, ['test/bench/main.ts', 'calls']);
  expect(stdout).toContain('Every budget is met.');
});

test('every section of the bench except “calls” can be imported', async () => {
  const sections = ['sizes', 'cold', 'payer-page', 'dashboard', 'open-loop/offer', 'routing/routing'];
  const load = sections.map((section) => `await import('#test/bench/${section}.ts');`).join('\n');
  await run(process.execPath, ['--input-type=module', '--eval', load]);
});
