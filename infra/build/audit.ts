import { spawnSync } from 'node:child_process';
import * as z from 'zod';

/* `npm run audit`: known high and critical findings in what we depend on, from the registry. It needs the network, so no test runs it. */

const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string().optional() })),
});
const failure = z.object({ message: z.string() });

const GRAVE = ['high', 'critical'];
const LIMITS = ['--fetch-retries=1', '--fetch-timeout=20000'];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return { message: 'npm gave no report' };
  }
};

const { stdout } = spawnSync('npm', ['audit', '--json', ...LIMITS], {
  encoding: 'utf8',
  timeout: 120_000,
});
const output = parsed(stdout ?? '');
const { success, data } = report.safeParse(output);
if (success) {
  const grave = Object.entries(data.vulnerabilities).filter(([, { severity }]) => GRAVE.includes(severity));
  for (const [name, { severity, range = '' }] of grave) console.log(`${severity}: ${name} ${range}`);
  if (grave.length === 0) console.log('The audit found nothing high or critical.');
  else console.log('Update these, or see `npm audit` for what asks for them.');
  process.exitCode = grave.length === 0 ? 0 : 1;
} else {
  const why = failure.safeParse(output).data?.message ?? 'its answer cannot be read';
  console.log(`Nothing was audited: the registry gives no audit here (${why}). Run it again where it does.`);
}
