import type { BuiltFunctions } from '#infra/build/build-functions.ts';
import { knowsProviders } from '#infra/constructs/environment.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { type Findings, round } from './report.ts';

/** Budgets in bytes, minified (performance.md). `test/long/sizes.test.ts` checks them for every function. */
const BUDGET = 380_000;
const BUDGET_WITH_PROVIDERS = 475_000;

const ROWS = 10;

const kB = (bytes: number): number => round(bytes / 1_000, 1);

/** Measures the size of every function as it is shipped. */
export const measureSizes = async (built: BuiltFunctions): Promise<Findings> => {
  const misses: string[] = [];
  const rows = FUNCTIONS.map((spec) => {
    const budget = knowsProviders(spec) ? BUDGET_WITH_PROVIDERS : BUDGET;
    const bytes = built.countBytes(spec.name);
    if (bytes > budget) misses.push(`size of ${spec.name}: ${kB(bytes)} kB, budget ${kB(budget)} kB.`);
    return { function: spec.name, 'size, kB': kB(bytes), 'budget, kB': kB(budget) };
  });
  const largest = rows.toSorted((a, b) => b['size, kB'] - a['size, kB']).slice(0, ROWS);
  const about = `The ${ROWS} largest of ${rows.length} functions, minified, as shipped.`;
  return { tables: [{ title: 'Artefact sizes', about, rows: largest }], misses };
};
