import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { LOCAL } from '#infra/ops/connect.ts';
import { type Answer, examples, listing, paragraphs } from '#infra/ops/output.ts';
import { sandboxAccess, triedCustomer } from '#infra/ops/provider-try/access.ts';
import { recordExchanges } from '#infra/ops/provider-try/exchanges.ts';
import { createReport, refuseLeak, type TryReport, writeReport } from '#infra/ops/provider-try/report.ts';
import { newScene } from '#infra/ops/provider-try/scene.ts';
import { tryProvider } from '#infra/ops/provider-try/try-provider.ts';
import type { RunApart, WorkApart } from '#infra/ops/run.ts';
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
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Write a number of minutes from 1 to 99.');
  return Number(text) * MINUTE;
};

const readProvider = (text: string): ProviderName => {
  const { success, data } = providerName.safeParse(text);
  if (!success) throw new InvalidArgumentError(`Name one of: ${providerName.options.join(', ')}.`);
  return data;
};

const readUrl = (text: string): string => {
  if (!(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)))
    throw new InvalidArgumentError('Write an http or https address.');
  return text;
};

const toAnswer = (report: TryReport, file: string): Answer => {
  const red = report.steps.filter(({ status }) => status === 'failed' || status === 'differs');
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
      `${report.green ? 'Green.' : 'Not green.'} The report is in ${file}. It holds no secrets and no personal data.`,
    ),
    ...(red.length > 0 && {
      failure: `${report.provider} is not green: ${red.map(({ step, status }) => `${step} ${status}`).join(', ')}. Nobody takes live money there before it is.`,
    }),
  };
};

const tryAt =
  (name: ProviderName, { baseUrl, pay, out }: Options): WorkApart =>
  async ({ stage, connect }, say) => {
    const { now } = runtime;
    const tried = SIMULATORS[name].tried;
    const stageSettings = stage === LOCAL ? undefined : ((await connect()).providerSettings ?? {});
    const access = await sandboxAccess(name, tried, { baseUrl, stageSettings });
    const customer = triedCustomer();
    const exchanges = recordExchanges(providerHttp({ baseUrl: access.settings.baseUrl, now }), now);
    // The runtime's own `wait` lets the process end meanwhile.
    const clock = { ...runtime, wait: (milliseconds: Millis) => wait(milliseconds) };
    const scene = newScene(name, tried, access, exchanges, customer, { ...clock, payWithin: pay, say });
    const startedAt = now();
    const report = createReport(name, await tryProvider(tried, scene, now), startedAt, now());
    refuseLeak(report, exchanges.all, [access.credentials], customer);
    return toAnswer(report, writeReport(report, out));
  };

/** `provider try`, in the group of provider commands. */
export const addProviderTry = (group: Command, run: RunApart): void => {
  group
    .command('try')
    .description(
      'tries a sandbox: credentials, an account, a checkout, look-ups, lists; compares each answer with what the adapter is tested with, and writes a report',
    )
    .argument('<provider>', providerName.options.join(', '), readProvider)
    .option('--base-url <url>', 'another address, such as that of the simulator', readUrl)
    .option('--pay <minutes>', 'waits so long until somebody has paid the checkout in the demo bank', readMinutes)
    .option('--out <folder>', 'where the report is written', '.')
    .addHelpText(
      'after',
      `
Without --stage: the credentials are those of the variable <PROVIDER>_CREDENTIALS, and the settings those of PROVIDERS, both as
npm start takes them; without credentials there, the simulator of a running local stack (npm start -- --live-simulator) is tried.
The variable TRY_CUSTOMER, {"name", "phone", "email", "bvn", "nin"}, names a customer whom the sandbox knows.
Keys and addresses of live mode are refused. Exit code 1: not green.`,
    )
    .addHelpText('after', examples(`provider try ${EXAMPLE} --pay 10`, `--stage dev provider try ${EXAMPLE}`))
    .action((name: ProviderName, options: Options, command: Command) => run(command, tryAt(name, options)));
};
