import { knowsProviders } from '#infra/constructs/environment.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { rightsOf } from '#infra/table-rights.ts';
import type { Bundles } from './bundles.ts';
import { type Findings, rounded } from './report.ts';

/** Bytes, minified: architecture.md section 9. `test/long/sizes.test.ts` holds them. */
const BUDGET = 375_000;
const BUDGET_WITH_PROVIDERS = 475_000;

const kB = (bytes: number): number => rounded(bytes / 1_000, 1);

/** The size of every function as it is shipped, beside the bare one's. */
export const measureSizes = async ({ ours, bare, trimmed }: Bundles): Promise<Findings> => {
  const misses: string[] = [];
  const rows = FUNCTIONS.map((spec) => {
    const { name, queue } = spec;
    const calls = rightsOf(spec).length + queue.length > 0;
    const budget = knowsProviders(spec) ? BUDGET_WITH_PROVIDERS : BUDGET;
    const bytes = ours.bytesOf(name);
    if (bytes > budget) misses.push(`size of ${name}: ${kB(bytes)} kB, budget ${kB(budget)} kB.`);
    return {
      function: name,
      'ours, kB': kB(bytes),
      'bare, kB': calls ? kB(bare.bytesOf(name)) : '–',
      'bare trimmed, kB': calls ? kB(trimmed.bytesOf(name)) : '–',
      'budget, kB': kB(budget),
    };
  });
  const about =
    'Minified, as shipped. Bare: a function with the same SDK clients and commands and nothing else, minified too; trimmed: the same, bundled with our settings.';
  return { tables: [{ title: 'Artefact sizes', about, rows }], misses };
};
