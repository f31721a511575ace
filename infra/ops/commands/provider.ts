import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run, RunWithoutStage } from '#infra/ops/run.ts';
import { formatTime } from '#infra/ops/views.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { NoCredentials, readCredentials } from '#shared/providers/credentials.ts';
import { computeLimitLeft, type ProviderBreaker } from '#shared/providers/domain/breaker.ts';
import type { HealthState, ProviderHealth } from '#shared/providers/domain/health/health.ts';
import type { Cause } from '#shared/providers/domain/health/samples.ts';
import {
  type ProviderCalls,
  type ProviderName,
  providerCalls,
  providerName,
} from '#shared/providers/domain/provider.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import { addProviderTry } from './provider-try.ts';

/** The state of a provider in the command's JSON, without its credentials. */
interface ProviderView {
  readonly provider: ProviderName;
  /** `off`: the stage has not enabled the provider. `not_ready`: the stage has enabled it, but there are no usable credentials. */
  readonly status: 'ready' | 'not_ready' | 'off';
  readonly missing: string | null;
  readonly next: string | null;
  /** `down`: the provider failed many times in a row, and is called only once in 30 seconds. */
  readonly health: 'well' | 'failing' | 'down';
  readonly last_failure_at: string | null;
  /** The kinds of calls that the provider limits now: it answered 429, so we wait until a time. A limit is not a failure. */
  readonly limited: readonly LimitedCalls[];
  /** Whether the provider's money lands, by the counts of the last half hour; null if nothing was counted. */
  readonly money: MoneyHealth | null;
}

interface MoneyHealth {
  readonly state: HealthState;
  readonly since: string | null;
  readonly cause: Cause | null;
  readonly landing_seconds: { readonly p50: number; readonly p95: number } | null;
  readonly opened: number;
  readonly failed: number;
  readonly sent_landed: number;
  readonly sent_not_landed: number;
}

interface LimitedCalls {
  readonly calls: ProviderCalls;
  readonly until: string | null;
}

const ENABLE = 'To enable it, add it to the stage’s providers in infra/config.ts and deploy.';

/** Summarises a provider's breakers: the health is that of the worst breaker. */
const summariseHealth = (breakers: readonly ProviderBreaker[], now: Millis) => ({
  health: breakers.some(({ openUntil }) => openUntil !== null)
    ? ('down' as const)
    : breakers.some(({ failures }) => failures > 0)
      ? ('failing' as const)
      : ('well' as const),
  last_failure_at: formatTime(Math.max(...breakers.map(({ lastFailureAt }) => lastFailureAt)) || null),
  limited: breakers.flatMap((breaker): LimitedCalls[] =>
    computeLimitLeft(breaker, now) > 0 ? [{ calls: breaker.calls, until: formatTime(breaker.limitedUntil) }] : [],
  ),
});

/** Finds what is missing in an enabled provider's credentials; undefined if nothing is. @throws what the SDK throws. */
const findMissingCredentials = async (
  name: ProviderName,
  secretId: string | null,
): Promise<NoCredentials | undefined> => {
  if (secretId === null) return undefined;
  try {
    await readCredentials({ name, schema: REGISTRY[name].credentials, secretId });
    return undefined;
  } catch (error) {
    if (error instanceof NoCredentials) return error;
    throw error;
  }
};

const viewMoney = ({ state, since, cause, landing, creations, sent }: ProviderHealth): MoneyHealth => ({
  ...{ state, since: formatTime(since), cause, landing_seconds: landing },
  opened: creations.good,
  failed: creations.bad,
  sent_landed: sent.good,
  sent_not_landed: sent.bad,
});

const viewProvider = async (
  { enabledProviders, providerBreakers, now }: Stage,
  provider: ProviderName,
  moneyHealth: ProviderHealth | undefined,
): Promise<ProviderView> => {
  const secretId = enabledProviders?.[provider];
  const breakers = await Promise.all(providerCalls.options.map((calls) => providerBreakers.find(provider, calls)));
  const health = { ...summariseHealth(breakers, now()), money: moneyHealth ? viewMoney(moneyHealth) : null };
  if (secretId === undefined) return { provider, status: 'off', missing: null, next: ENABLE, ...health };
  const missing = await findMissingCredentials(provider, secretId);
  return missing
    ? { provider, status: 'not_ready', missing: missing.missing, next: missing.next, ...health }
    : { provider, status: 'ready', missing: null, next: null, ...health };
};

const STATUS_TEXT = { ready: 'ready', not_ready: 'NOT READY', off: 'off' } as const;

const CALLS_TEXT: Readonly<Record<ProviderCalls, string>> = {
  creations: 'opening accounts',
  look_ups: 'look-ups',
  requeries: 'requeries',
  reviews: 'reviews',
};

const formatHealth = (view: ProviderView): string =>
  [
    formatBreakers(view),
    ...view.limited.map(({ calls, until }) => `takes no ${CALLS_TEXT[calls]} until ${until}`),
  ].join('; ');

const formatBreakers = ({ status, health, last_failure_at: at }: ProviderView): string => {
  if (status === 'off' || health === 'well') return status === 'off' ? '-' : 'well';
  return health === 'down' ? `down, called only once in 30 s; last failed ${at}` : `failed last ${at}`;
};

/** Formats the counts of the last half hour. They show an operator why checkouts go to another provider. */
const formatMoney = ({ money }: ProviderView): string => {
  if (!money) return '-';
  const { state, since, landing_seconds: landing, opened, failed, sent_landed, sent_not_landed } = money;
  return [
    state === 'healthy' ? 'healthy' : `${state.toUpperCase()} since ${since}`,
    ...(landing ? [`half land in ${landing.p50} s, 95 of 100 in ${landing.p95} s`] : []),
    ...(failed > 0 ? [`${failed} of ${opened + failed} openings failed`] : []),
    ...(sent_landed + sent_not_landed > 0
      ? [`${sent_not_landed} of ${sent_landed + sent_not_landed} reports of payers did not land`]
      : []),
  ].join('; ');
};

const list = async (stage: Stage): Promise<Answer> => {
  const moneyHealth = await stage.health.readHealth();
  const providers = await Promise.all(providerName.options.map((name) => viewProvider(stage, name, moneyHealth[name])));
  const notReady = providers.filter(({ status }) => status === 'not_ready');
  const rows = providers.map((view) => [
    view.provider,
    STATUS_TEXT[view.status],
    formatHealth(view),
    formatMoney(view),
  ]);
  return {
    json: { providers },
    text: paragraphs(
      listing(['PROVIDER', 'STATUS', 'HEALTH', 'MONEY, LAST HALF HOUR'], rows, ''),
      ...notReady.map(({ provider, missing, next }) => `${provider}: ${missing} ${next}`),
    ),
  };
};

/** `provider list`, `provider try`. */
export const addProviderCommands = (program: Command, run: Run, runWithoutStage: RunWithoutStage): void => {
  const group = program.command('provider').description('shows and tries the live providers of the stage');
  group.addHelpText('after', examples('--stage prod provider list', `provider try ${providerName.options[0]}`));
  group
    .command('list')
    .description(
      'lists the providers: which are enabled, have credentials and answer, whether money lands there, and what to do if something is missing',
    )
    .addHelpText('after', examples('provider list', '--stage prod provider list'))
    .action((_options: unknown, command: Command) => run(command, list));
  addProviderTry(group, runWithoutStage);
};
