import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FUNCTIONS } from '#infra/functions.ts';
import { ENVIRONMENT } from '#test/support/function-environment.ts';
import type { Bundles } from './bundles.ts';
import { type Findings, rounded } from './report.ts';
import { percentile } from './statistics.ts';

const run = promisify(execFile);

/** Fresh processes for each bundle. */
const SAMPLES = 11;
/** architecture.md section 9. */
const BUDGET = 1.1;

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };

const SCRIPT = `
  const startedAt = performance.now();
  require(process.argv[1]);
  process.stdout.write('took ' + (performance.now() - startedAt));
  process.exit();`;

/** Milliseconds that one fresh process takes to import a bundle: reading, compiling, running its top level. */
const importOnce = async (file: string): Promise<number> => {
  const { stdout } = await run(process.execPath, ['-e', SCRIPT, file], { env: { ...ENVIRONMENT, ...CREDENTIALS } });
  return Number(/took ([\d.]+)/.exec(stdout)?.[1]);
};

/** Import time of every function beside the bare one's, samples taken in turns. */
export const measureImports = async (bundles: Bundles): Promise<Findings> => {
  const samples = new Map<string, { ours: number[]; bare: number[] }>();
  for (const { name } of FUNCTIONS) samples.set(name, { ours: [], bare: [] });
  // The first round warms the file cache and does not count.
  for (let round = 0; round <= SAMPLES; round++) {
    for (const [name, { ours, bare }] of samples) {
      const [a, b] = [await importOnce(bundles.fileOf(name)), await importOnce(bundles.bareFileOf(name))];
      if (round === 0) continue;
      ours.push(a);
      bare.push(b);
    }
  }
  const misses: string[] = [];
  const rows = FUNCTIONS.map(({ name, table, queue }) => {
    const { ours, bare } = samples.get(name) ?? { ours: [], bare: [] };
    const [median, bareMedian] = [percentile(ours, 50), percentile(bare, 50)];
    const ratio = rounded(median / bareMedian);
    const calls = table.length + queue.length > 0;
    if (calls && ratio > BUDGET)
      misses.push(`import of ${name}: ${ratio} times the bare function's, budget ${BUDGET}.`);
    return {
      function: name,
      'ours, ms': rounded(median, 1),
      'bare, ms': calls ? rounded(bareMedian, 1) : '–',
      ratio: calls ? ratio : '–',
    };
  });
  const about = `Median of ${SAMPLES} fresh Node processes each, taken in turns. Bare: a function with the same SDK clients and commands and nothing else, bundled with the same settings. Budget: ratio ≤ ${BUDGET}.`;
  return { tables: [{ title: 'Import time', about, rows }], misses };
};
