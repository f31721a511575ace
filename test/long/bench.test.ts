import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/* What it counts is the same on every machine. The sections that measure time belong to `npm run bench` alone. */

test('the bench starts, and no request makes more calls, steps or units than it may', async () => {
  const { stdout } = await run(process.execPath, ['test/bench/main.ts', 'calls']);
  expect(stdout).toContain('Every budget is met.');
});

test('its other sections load', async () => {
  const sections = ['sizes', 'cold', 'payer-page', 'dashboard', 'open-loop/offer', 'routing/routing'];
  const load = sections.map((section) => `await import('#test/bench/${section}.ts');`).join('\n');
  await run(process.execPath, ['--input-type=module', '--eval', load]);
});
