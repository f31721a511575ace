import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { LOCAL } from '#infra/ops/connect.ts';
import { type Answer, examples, listing, paragraphs } from '#infra/ops/output.ts';
import { readSandboxAccess, readTryCustomer } from '#infra/ops/provider-try/access.ts';
import { recordExchanges } from '#infra/ops/provider-try/exchanges.ts';
import { createReport, ensureNoLeak, type TryReport, writeReport } from '#infra/ops/provider-try/report.ts';
import { newScene } from '#infra/ops/provider-try/scene.ts';
import { tryProvider } from '#infra/ops/provider-try/try-provider.ts';
import type { RunWithoutStage, WorkWithoutStage } from '#infra/ops/run.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { providerHttp } from '#shared/providers/common/http.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { SIMULATORS } from '#shared/providers/simulators.ts';

interface Options {
  readonly baseUrl?: string;
  readonly pay?: Millis;
  readonly out: string;
}

const [EXAMPLE] = providerName.options;

const readMinutes = (text: string): Millis => {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Give a number of minutes from 1 to 99.');
  return Number(text) * MINUTE;
};

const readProvider = (text: string): ProviderName => {
  const { success, data } = providerName.safeParse(text);
  if (!success) throw new InvalidArgumentError(`Give one of: ${providerName.options.join(', ')}.`);
  return data;
};

const readUrl = (text: string): string => {
  if (!(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)))
    throw new InvalidArgumentError('Give an http or https address.');
  return text;
};

const toAnswer = (report: TryReport, file: string): Answer => {
  const redSteps = report.steps.filter(({ status }) => status === 'failed' || status === 'differs');
  const differences = report.steps.flatMap(({ step, calls }) =>
    calls.flatMap(({ method, path, differences }) =>
      differences.map((difference) => `${step}, ${method} ${path}: ${difference}`),
    ),
  );
  const rows = report.steps.map(({ step, status, does, why }) => [step, status, why ?? does]);
  return {
    json: { ...report, file },
    text: paragraphs(
      listing(['STEP', 'STATUS', 'WHAT'], rows, ''),
      ...(differences.length > 0 ? [differences.join('\n')] : []),
      `${report.green ? 'Green.' : 'Not green.'} The report is in ${file}. It contains no secrets and no personal data.`,
    ),
    ...(redSteps.length > 0 && {
      failure: `${report.provider} is not green: ${redSteps.map(({ step, status }) => `${step} ${status}`).join(', ')}. Do not take live money there before it is green.`,
    }),
  };
};

const tryAt =
  (name: ProviderName, { baseUrl, pay, out }: Options): WorkWithoutStage =>
  async ({ stage, connect }, say) => {
    const { now } = runtime;
    const trial = SIMULATORS[name].trial;
    const stageSettings = stage === LOCAL ? undefined : ((await connect()).providerSettings ?? {});
    const access = await readSandboxAccess(name, trial, { baseUrl, stageSettings });
    const customer = readTryCustomer();
    const exchanges = recordExchanges(providerHttp({ baseUrl: access.settings.baseUrl, now }), now);
    // The runtime's own `wait` does not keep the process alive.
    const clock = { ...runtime, wait: (milliseconds: Millis) => wait(milliseconds) };
    const scene = newScene(name, trial, access, exchanges, customer, { ...clock, payWithin: pay, say });
    const startedAt = now();
    const report = createReport(name, await tryProvider(trial, scene, now), startedAt, now());
    ensureNoLeak(report, exchanges.all, [access.credentials], customer);
    return toAnswer(report, writeReport(report, out));
  };

/** `provider try`. */
export const addProviderTry = (group: Command, run: RunWithoutStage): void => {
  group
    .command('try')
    .description(
      "tries a provider's sandbox: credentials, an account, a checkout, look-ups, lists; compares each answer with the fixtures of the adapter's tests, and writes a report",
    )
    .argument('<provider>', providerName.options.join(', '), readProvider)
    .option('--base-url <url>', 'another address than in the settings, such as that of the provider simulator', readUrl)
    .option(
      '--pay <minutes>',
      'waits up to this many minutes for somebody to pay the checkout in the demo bank',
      readMinutes,
    )
    .option('--out <folder>', 'the folder for the report', '.')
    .addHelpText(
      'after',
      `
Without --stage, the credentials come from the variable <PROVIDER>_CREDENTIALS and the settings from the variable PROVIDERS, as for
npm start. Without such credentials, the provider simulator of the running local stack is tried (npm start -- --live-simulator).
If the sandbox needs a customer whom it knows, set the variable TRY_CUSTOMER: {"name", "phone", "email", "bvn", "nin"}.
Keys and addresses of live mode are refused. Exit code 1: not green.`,
    )
    .addHelpText('after', examples(`provider try ${EXAMPLE} --pay 10`, `--stage dev provider try ${EXAMPLE}`))
    .action((name: ProviderName, options: Options, command: Command) => run(command, tryAt(name, options)));
};
