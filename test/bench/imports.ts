import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FUNCTIONS } from '#infra/functions.ts';
import { rightsOf } from '#infra/table-rights.ts';
import { ENVIRONMENT } from '#test/support/worlds/function-environment.ts';
import type { Bundles } from './bundles.ts';
import { type Findings, rounded } from './report.ts';
import { percentile } from './statistics.ts';

const run = promisify(execFile);

/** Fresh processes for each bundle. */
const SAMPLES = 11;
/** architecture.md section 9. */
const BUDGET = 1.1;

/** A function without SDK calls has no bare one. */
const NO_CALLS = { 'bare, ms': '–', ratio: '–', 'bare trimmed, ms': '–', 'ratio to trimmed': '–' };

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

/** The median of a measure for every file, samples taken in turns; the first round warms the file cache and does not count. */
const inTurns = async (
  files: readonly string[],
  measure: (file: string) => Promise<number>,
): Promise<ReadonlyMap<string, number>> => {
  const samples = new Map(files.map((file) => [file, [] as number[]]));
  for (let round = 0; round <= SAMPLES; round++) {
    for (const [file, taken] of samples) {
      const sample = await measure(file);
      if (round > 0) taken.push(sample);
    }
  }
  return new Map([...samples].map(([file, taken]) => [file, percentile(taken, 50)]));
};

/**
 * Import time of every function beside the bare one's, samples taken in turns. The budget is the bare function's as anybody would
 * bundle it; beside the trimmed one stands what our own code and zod add.
 */
export const measureImports = async ({ fileOf, bare, trimmed }: Bundles): Promise<Findings> => {
  const sides = { ours: fileOf, bare: bare.fileOf, trimmed: trimmed.fileOf };
  const medians = await inTurns(
    FUNCTIONS.flatMap(({ name }) => Object.values(sides).map((file) => file(name))),
    importOnce,
  );
  const misses: string[] = [];
  const rows = FUNCTIONS.map((spec) => {
    const { name, queue } = spec;
    const of = (side: keyof typeof sides): number => medians.get(sides[side](name)) ?? Number.NaN;
    if (rightsOf(spec).length + queue.length === 0)
      return { function: name, 'ours, ms': rounded(of('ours'), 1), ...NO_CALLS };
    const ratio = rounded(of('ours') / of('bare'));
    if (ratio > BUDGET) misses.push(`import of ${name}: ${ratio} times the bare function's, budget ${BUDGET}.`);
    return {
      function: name,
      'ours, ms': rounded(of('ours'), 1),
      'bare, ms': rounded(of('bare'), 1),
      ratio,
      'bare trimmed, ms': rounded(of('trimmed'), 1),
      'ratio to trimmed': rounded(of('ours') / of('trimmed')),
    };
  });
  const about = `Median of ${SAMPLES} fresh Node processes each, taken in turns. Bare: a function with the same SDK clients and commands and nothing else, bundled as anybody would; trimmed: the same, bundled with our settings. Budget: ratio to the bare one ≤ ${BUDGET}.`;
  return { tables: [{ title: 'Import time', about, rows }], misses };
};
