import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { type Answer, examples, listing, paragraphs } from '#infra/ops/output.ts';
import type { Run, RunApart } from '#infra/ops/run.ts';
import { time } from '#infra/ops/views.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { NoCredentials, readCredentials } from '#shared/providers/credentials.ts';
import { limitLeft, type ProviderBreaker } from '#shared/providers/domain/breaker.ts';
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

/** How a provider stands, as the command's JSON shows it: nothing of its credentials. */
interface View {
  readonly provider: ProviderName;
  /** `off`: the stage has not enabled it. `not_ready`: it has, and there are no credentials that can be used. */
  readonly status: 'ready' | 'not_ready' | 'off';
  readonly missing: string | null;
  readonly next: string | null;
  /** `down`: it failed again and again, and is tried once in 30 seconds. */
  readonly health: 'well' | 'failing' | 'down';
  readonly last_failure_at: string | null;
  /** Which calls it takes none of right now, because we were too fast: it answered 429. Not a failure. */
  readonly limited: readonly Limited[];
  /** Whether money lands there, by what was counted in the last half hour; null while nothing was. */
  readonly money: Money | null;
}

interface Money {
  readonly state: HealthState;
  readonly since: string | null;
  readonly cause: Cause | null;
  readonly landing_seconds: { readonly p50: number; readonly p95: number } | null;
  readonly opened: number;
  readonly failed: number;
  readonly sent_landed: number;
  readonly sent_not_landed: number;
}

interface Limited {
  readonly calls: ProviderCalls;
  readonly until: string | null;
}

const ENABLE = 'To enable it, name it in providers of the stage in infra/config.ts and deploy.';

/** The worst of its breakers. */
const summariseHealth = (breakers: readonly ProviderBreaker[], now: Millis) => ({
  health: breakers.some(({ suspendedUntil }) => suspendedUntil !== null)
    ? ('down' as const)
    : breakers.some(({ failures }) => failures > 0)
      ? ('failing' as const)
      : ('well' as const),
  last_failure_at: time(Math.max(...breakers.map(({ lastFailureAt }) => lastFailureAt)) || null),
  limited: breakers.flatMap((breaker): Limited[] =>
    limitLeft(breaker, now) > 0 ? [{ calls: breaker.calls, until: time(breaker.limitedUntil) }] : [],
  ),
});

/** What keeps an enabled provider from working; undefined when nothing does. @throws what AWS refuses. */
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

const viewMoney = ({ state, since, cause, landing, creations, sent }: ProviderHealth): Money => ({
  ...{ state, since: time(since), cause, landing_seconds: landing },
  opened: creations.good,
  failed: creations.bad,
  sent_landed: sent.good,
  sent_not_landed: sent.bad,
});

const viewProvider = async (
  { enabledProviders, providerBreakers, now }: Stage,
  provider: ProviderName,
  judged: ProviderHealth | undefined,
): Promise<View> => {
  const secretId = enabledProviders?.[provider];
  const breakers = await Promise.all(providerCalls.options.map((calls) => providerBreakers.find(provider, calls)));
  const health = { ...summariseHealth(breakers, now()), money: judged ? viewMoney(judged) : null };
  if (secretId === undefined) return { provider, status: 'off', missing: null, next: ENABLE, ...health };
  const missing = await findMissingCredentials(provider, secretId);
  return missing
    ? { provider, status: 'not_ready', missing: missing.missing, next: missing.next, ...health }
    : { provider, status: 'ready', missing: null, next: null, ...health };
};

const STATUS = { ready: 'ready', not_ready: 'NOT READY', off: 'off' } as const;

const LIMITED: Readonly<Record<ProviderCalls, string>> = {
  creations: 'opening accounts',
  look_ups: 'look-ups',
  requeries: 'requeries',
  reviews: 'reviews',
};

const summary = (view: View): string =>
  [healthText(view), ...view.limited.map(({ calls, until }) => `takes no ${LIMITED[calls]} until ${until}`)].join('; ');

const healthText = ({ status, health, last_failure_at: at }: View): string => {
  if (status === 'off' || health === 'well') return status === 'off' ? '-' : 'well';
  return health === 'down' ? `down, tried once in 30 s; last failed ${at}` : `failed last ${at}`;
};

/** The numbers of the last half hour, for an operator who asks why checkouts go elsewhere. */
const moneyText = ({ money }: View): string => {
  if (!money) return '-';
  const { state, since, landing_seconds: landing, opened, failed, sent_landed, sent_not_landed } = money;
  return [
    state === 'healthy' ? 'healthy' : `${state.toUpperCase()} since ${since}`,
    ...(landing ? [`half land in ${landing.p50} s, 95 of 100 in ${landing.p95} s`] : []),
    ...(failed > 0 ? [`${failed} openings failed beside ${opened}`] : []),
    ...(sent_landed + sent_not_landed > 0
      ? [`${sent_not_landed} of ${sent_landed + sent_not_landed} reports of payers did not land`]
      : []),
  ].join('; ');
};

const list = async (stage: Stage): Promise<Answer> => {
  const judged = await stage.health.readHealth();
  const providers = await Promise.all(providerName.options.map((name) => viewProvider(stage, name, judged[name])));
  const notReady = providers.filter(({ status }) => status === 'not_ready');
  const rows = providers.map((view) => [view.provider, STATUS[view.status], summary(view), moneyText(view)]);
  return {
    json: { providers },
    text: paragraphs(
      listing(['PROVIDER', 'STATUS', 'HEALTH', 'MONEY, LAST HALF HOUR'], rows, ''),
      ...notReady.map(({ provider, missing, next }) => `${provider}: ${missing} ${next}`),
    ),
  };
};

/** `provider list`, `provider try`. */
export const addProviderCommands = (program: Command, run: Run, runApart: RunApart): void => {
  const group = program.command('provider').description('the live providers of the stage');
  group.addHelpText('after', examples('--stage prod provider list', `provider try ${providerName.options[0]}`));
  group
    .command('list')
    .description(
      'which are enabled, have their credentials and answer, and whether money lands there; else what is missing and what to do',
    )
    .addHelpText('after', examples('provider list', '--stage prod provider list'))
    .action((_options: unknown, command: Command) => run(command, list));
  addProviderTry(group, runApart);
};
