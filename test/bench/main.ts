import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuiltFunctions, buildFunctions } from '#infra/build/build-functions.ts';
import { startEmulators, stopEmulators } from '#test/support/emulators/start-emulators.ts';
import { describeMachine } from './machine.ts';
import { PERFORMANCE_DOCUMENT, writeMeasurements } from './page.ts';
import { asMarkdown, asText, type Findings } from './report.ts';

const HELP = `Measures the service on this machine: every section, or only the named ones.

  npm run bench                          all sections but routing, about ten minutes on two cores
  npm run bench -- sizes cold            some of: sizes cold pages dashboard calls routing
  npm run bench -- routing               checkouts while a provider fails, forty minutes
  npm run bench -- --write               and write the figures into ${PERFORMANCE_DOCUMENT}

Nothing else should run meanwhile.`;

const withEmulators = (work: () => Promise<Findings>) => async (): Promise<Findings> => {
  await startEmulators();
  try {
    return await work();
  } finally {
    await stopEmulators();
  }
};

let outDir = '';
let built: Promise<BuiltFunctions> | undefined;
const buildOnce = (): Promise<BuiltFunctions> => {
  built ??= buildFunctions(join(outDir, 'functions'));
  return built;
};

/* Each section is imported when it begins: some load functions, which read the environment that the emulators set. */
const SECTIONS: Readonly<Record<string, () => Promise<Findings>>> = {
  sizes: async () => (await import('./sizes.ts')).measureSizes(await buildOnce()),
  cold: withEmulators(async () => (await import('./cold.ts')).measureColdStarts(await buildOnce())),
  pages: withEmulators(async () => (await import('./payer-page.ts')).measurePages()),
  dashboard: withEmulators(async () => (await import('./dashboard.ts')).measureDashboard()),
  calls: withEmulators(async () => (await import('./calls.ts')).countCalls()),
  routing: withEmulators(async () => (await import('./routing/routing.ts')).measureRouting()),
};

const readArguments = (): { names: string[]; write: boolean } => {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const unknown = positionals.filter((name) => SECTIONS[name] === undefined);
  if (unknown.length > 0) {
    console.error(`There is no section ${unknown.join(', ')}. See: npm run bench -- --help`);
    process.exit(2);
  }
  return {
    names: positionals.length > 0 ? positionals : Object.keys(SECTIONS).filter((name) => name !== 'routing'),
    write: values.write ?? false,
  };
};

let failed = false;
/** Runs a section. If it fails, the other sections still run. */
const measure = async (name: string): Promise<Findings> => {
  try {
    return (await SECTIONS[name]?.()) ?? { tables: [], misses: [] };
  } catch (error) {
    failed = true;
    console.error(error);
    return { tables: [], misses: [`${name} could not be measured: ${error instanceof Error ? error.message : error}`] };
  }
};

const { names, write } = readArguments();
outDir = await mkdtemp(join(tmpdir(), 'payments-bench-'));
const machine = describeMachine();
const startedAt = new Date();
console.log(`Machine: ${machine}.\n`);

const results: Record<string, Findings & { seconds: number }> = {};
for (const name of names) {
  const began = performance.now();
  const findings = await measure(name);
  const seconds = Math.round((performance.now() - began) / 1_000);
  results[name] = { ...findings, seconds };
  for (const table of findings.tables) console.log(`${asText(table)}\n`);
  console.log(`(${name}: ${seconds} s)\n`);
}

const misses = Object.values(results).flatMap((findings) => findings.misses);
console.log(
  misses.length === 0 ? 'Every budget is met.' : `Budgets missed:\n${misses.map((miss) => `- ${miss}`).join('\n')}`,
);
const file = join(outDir, 'bench.json');
await writeFile(file, JSON.stringify({ machine, startedAt, sections: results }, null, 2));
await rm(join(outDir, 'functions'), { recursive: true, force: true });
console.log(`\nAll results as JSON: ${file}`);

if (write) {
  const when = `${startedAt.toISOString().slice(0, 10)}, ${machine}.`;
  const withTables = Object.entries(results).filter(([, { tables }]) => tables.length > 0);
  const markdown = withTables.map(([name, { tables, misses: sectionMisses }]) => {
    const verdict =
      sectionMisses.length === 0 ? [] : [`Missed:\n\n${sectionMisses.map((miss) => `- ${miss}`).join('\n')}`];
    return [name, [when, ...tables.map(asMarkdown), ...verdict].join('\n\n')] as const;
  });
  await writeMeasurements(Object.fromEntries(markdown));
  console.log(`Written to ${PERFORMANCE_DOCUMENT}.`);
}
// Connections to stopped emulators would keep the process running.
process.exit(failed ? 1 : 0);
