import { spawnSync } from 'node:child_process';
import * as z from 'zod';

/* `npm run audit`: prints known high and critical vulnerabilities of our dependencies. It needs the registry, so no test runs it. */

const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string().optional() })),
});
const failure = z.object({ message: z.string() });

const REPORTED_SEVERITIES = ['high', 'critical'];
const FETCH_OPTIONS = ['--fetch-retries=1', '--fetch-timeout=20000'];

const parseReport = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return { message: 'npm returned no report' };
  }
};

const { stdout } = spawnSync('npm', ['audit', '--json', ...FETCH_OPTIONS], {
  encoding: 'utf8',
  timeout: 120_000,
});
const output = parseReport(stdout ?? '');
const { success, data } = report.safeParse(output);
if (success) {
  const serious = Object.entries(data.vulnerabilities).filter(([, { severity }]) =>
    REPORTED_SEVERITIES.includes(severity),
  );
  for (const [name, { severity, range = '' }] of serious) console.log(`${severity}: ${name} ${range}`);
  if (serious.length === 0) console.log('The audit found no high or critical vulnerabilities.');
  else console.log('Update these packages. `npm audit` shows which packages depend on them.');
  process.exitCode = serious.length === 0 ? 0 : 1;
} else {
  const reason = failure.safeParse(output).data?.message ?? 'its answer cannot be read';
  console.log(
    `Nothing was audited, because the registry gives no audit here (${reason}). Run it again where the registry gives audits.`,
  );
}
