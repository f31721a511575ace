import { readStageSettings } from '#infra/config.ts';
import { keysName } from '#infra/constructs/names.ts';
import { moneyQueuesUrl } from '#infra/local/emulators/create-queues.ts';
import { localKey, useCredentials } from '#infra/local/environment.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import type { BusinessStore } from '#shared/businesses/ports.ts';
import { businessStore } from '#shared/businesses/store/business-store.ts';
import { endpointStore } from '#shared/businesses/store/endpoint-store.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import type { CheckoutReader } from '#shared/checkouts/ports.ts';
import { checkoutStore } from '#shared/checkouts/store/checkout-store.ts';
import type { ErasureStore, PayerRecords } from '#shared/erasure/ports.ts';
import { erasureStore } from '#shared/erasure/store/erasure-store.ts';
import { payerRecords } from '#shared/erasure/store/payer-records.ts';
import type { SessionStore, UserReader } from '#shared/members/ports.ts';
import { sessionStore } from '#shared/members/store/session-store.ts';
import { userReader } from '#shared/members/store/user-store.ts';
import { landingDeps, matchWaitingDeps } from '#shared/payments/compose.ts';
import type { PaymentReader } from '#shared/payments/ports.ts';
import { moneyQueueUrl } from '#shared/payments/queue/money-queue.ts';
import { stuckNotifications } from '#shared/payments/store/notification-store.ts';
import { paymentStore } from '#shared/payments/store/payment-store.ts';
import { reconciliationStore } from '#shared/payments/store/reconciliation-store.ts';
import type { AssignDeps } from '#shared/payments/use-cases/assign-payment.ts';
import type { StuckNotificationDeps } from '#shared/payments/use-cases/stuck-notifications.ts';
import type { CommitDeps } from '#shared/platform/commit.ts';
import { ApiError, DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { log } from '#shared/platform/observability/log.ts';
import type { ReadKeys, Runtime } from '#shared/platform/ports.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { probeQueue } from '#shared/platform/queues/health.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { stageKeys } from '#shared/platform/secrets/stage-keys.ts';
import { probeTable } from '#shared/platform/table/health.ts';
import { connectTable, type Table } from '#shared/platform/table/table.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import type { HealthReader } from '#shared/providers/health-ports.ts';
import { liveProviders } from '#shared/providers/live-providers.ts';
import type { ProviderBreakerStore } from '#shared/providers/ports.ts';
import type { ProviderSettings } from '#shared/providers/settings.ts';
import { healthReader } from '#shared/providers/store/health-store.ts';
import { providerBreakerStore } from '#shared/providers/store/provider-breaker-store.ts';
import type { AccountNumbers } from '#shared/virtual-accounts/ports.ts';
import { accountNumbers } from '#shared/virtual-accounts/store/account-numbers.ts';
import { announcingQueue } from '#shared/webhooks/compose-queue.ts';
import type { WebhookTargets } from '#shared/webhooks/domain/target.ts';
import { targetChecker } from '#shared/webhooks/http-out/target-checker.ts';
import type { BreakerStore, CheckTarget, EndpointReader } from '#shared/webhooks/ports.ts';
import { deadLetterQueues } from '#shared/webhooks/queue/dead-letter-queues.ts';
import { breakerStore } from '#shared/webhooks/store/breaker-store.ts';
import { deliveryStore } from '#shared/webhooks/store/delivery-store.ts';
import { eventStore } from '#shared/webhooks/store/event-store.ts';
import type { SealDeps } from '#shared/webhooks/use-cases/open-secrets.ts';
import type { RedeliverDeps } from '#shared/webhooks/use-cases/redeliver-event.ts';
import type { DeadLetterQueues } from '#shared/webhooks/use-cases/redrive-queue.ts';
import { awsFailure, isUnreachable, unwrapCause } from './aws-failure.ts';
import { joinLocalStack, notRunningError } from './local-stage.ts';
import { asOperatorError } from './operator-messages.ts';

/** Milliseconds to wait for the table: long, because an operator would rather wait than get no answer. */
const MAX_WAIT_MS = 5_000;

/** The name of the stage that stands for the running local stack. This stage needs no AWS. */
export const LOCAL = 'local';

/** Maps each enabled provider to the secret with its credentials; to null on the local stack, which reads credentials from variables. */
export type EnabledProviders = Readonly<Partial<Record<ProviderName, string | null>>>;

/** A connected stage, and the operator who uses it. */
export interface Stage extends Runtime, CommitDeps, AssignDeps, RedeliverDeps, SealDeps, StuckNotificationDeps {
  readonly businesses: BusinessStore;
  readonly users: UserReader;
  readonly sessions: SessionStore;
  readonly checkouts: CheckoutReader;
  readonly accountNumbers: AccountNumbers;
  readonly payments: PaymentReader;
  readonly payerRecords: PayerRecords;
  readonly erasures: ErasureStore;
  readonly breakers: BreakerStore;
  readonly endpoints: EndpointReader;
  readonly checkTarget: CheckTarget;
  /** Reads the operator's AWS identity for the audit log. Calls AWS at most once, also for several changes. @throws what the SDK throws. */
  readonly operator: () => Promise<string>;
  readonly providerBreakers: Pick<ProviderBreakerStore, 'find'>;
  readonly health: HealthReader;
  /** The enabled live providers with their secrets; empty if none is enabled. */
  readonly enabledProviders?: EnabledProviders;
  /** The settings of the enabled providers. On a deployed stage each has the id of its secret. */
  readonly providerSettings?: ProviderSettings;
  /** The address of the stage's API, if it is known. */
  readonly baseUrl?: string | undefined;
  /** Checks of the stage's parts, by name. Each throws if its part does not answer. */
  readonly probes: Readonly<Record<string, () => Promise<void>>>;
  /** Absent on the local stack, which has no dead-letter queues. */
  readonly deadLetters?: DeadLetterQueues;
}

/** The operator of the local stack, who has no identity at AWS. */
const LOCAL_OPERATOR = 'local stack';

/** Imports the client of AWS STS only if a command changes something. Other commands start faster without it. */
const readCallerIdentity = async (): Promise<string> => (await import('./caller-identity.ts')).callerIdentity();

const memoize = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
};

interface StageSources {
  readonly tableName: string;
  readonly dueShards: number;
  readonly queueUrls: { readonly first: string; readonly test: string } & Readonly<Record<string, string>>;
  /** The common beginning of the URLs of the money queues. */
  readonly moneyQueuesUrl: string;
  readonly targets: WebhookTargets;
  readonly baseUrl: string | undefined;
  readonly enabledProviders: EnabledProviders;
  readonly providerSettings: ProviderSettings;
  readonly who: Stage['operator'];
  readonly webhookKeys: Stage['webhookKeys'];
}

/** Commands record no metrics. */
const noMetrics = (): void => {};

/** Makes the checks of the table and of every queue. */
const buildProbes = (table: Table, { queueUrls, moneyQueuesUrl }: StageSources): Stage['probes'] => {
  const queues = connectQueue();
  const lanes = [...providerName.options, 'test'] as const;
  const moneyUrls = lanes.map((lane) => [`money-${lane}`, moneyQueueUrl(moneyQueuesUrl, lane)] as const);
  const probes = [...Object.entries(queueUrls), ...moneyUrls].map(
    ([lane, url]) => [`queue ${lane}`, () => probeQueue(queues, url)] as const,
  );
  return { table: () => probeTable(table), ...Object.fromEntries(probes) };
};

const createStage = (sources: StageSources): Stage => {
  const {
    tableName,
    dueShards,
    queueUrls,
    targets,
    baseUrl,
    enabledProviders,
    providerSettings,
    who: operator,
    webhookKeys,
  } = sources;
  const table = connectTable({ TABLE_NAME: tableName, DUE_SHARDS: dueShards });
  const queue = announcingQueue({ FIRST_QUEUE_URL: queueUrls.first, TEST_QUEUE_URL: queueUrls.test });
  const landing = landingDeps(table, queue);
  const { now, wait } = landing;
  const providerBreakers = providerBreakerStore(table, MAX_WAIT_MS);
  const deps = { now, wait, log, metrics: noMetrics, breakers: providerBreakers, stageUrl: baseUrl };
  return {
    ...landing,
    ...matchWaitingDeps(table, { MONEY_QUEUES_URL: sources.moneyQueuesUrl }),
    // Connects on demand, because connecting reads the provider's secret.
    liveProviders: (name) => liveProviders({ [name]: providerSettings[name] }, deps)(name),
    businesses: businessStore(table),
    users: userReader(table),
    sessions: sessionStore(table),
    checkouts: checkoutStore(table),
    accountNumbers: accountNumbers(table),
    notifications: stuckNotifications(table),
    reconciliations: reconciliationStore(table),
    metrics: noMetrics,
    payments: paymentStore(table),
    payerRecords: payerRecords(table),
    erasures: erasureStore(table),
    deliveries: deliveryStore(table),
    events: eventStore(table),
    usage: usageStore(table),
    breakers: breakerStore(table),
    endpoints: endpointStore(table),
    providerBreakers,
    health: healthReader(table),
    enabledProviders,
    providerSettings,
    checkTarget: targetChecker(targets),
    webhookKeys,
    operator,
    baseUrl,
    probes: buildProbes(table, sources),
  };
};

const connectLocal = (): Stage => {
  const { tableName, dueShards, hashKey, queueUrls, baseUrl, live } = joinLocalStack();
  if (live) useCredentials(live);
  const names = providerName.options.filter((name) => live?.settings[name]);
  return createStage({
    tableName,
    dueShards,
    queueUrls,
    moneyQueuesUrl: moneyQueuesUrl(queueUrls),
    targets: 'any',
    baseUrl,
    who: async () => LOCAL_OPERATOR,
    webhookKeys: async () => [localKey(hashKey, 'webhooks')],
    enabledProviders: Object.fromEntries(names.map((name) => [name, null])),
    providerSettings: live?.settings ?? {},
  });
};

/** Selects the settings of the providers that the deployed stage has enabled, and adds the id of each one's secret. */
const withSecrets = (settings: ProviderSettings, secrets: EnabledProviders): ProviderSettings =>
  Object.fromEntries(
    providerName.options.flatMap((name) =>
      settings[name] && secrets[name] ? [[name, { ...settings[name], secretId: secrets[name] }]] : [],
    ),
  );

/** Reads the keys of webhook secrets on demand: most commands need none. @throws OperatorError if the secret holds no keys; what the SDK throws. */
const readWebhookKeys =
  (stage: string): ReadKeys =>
  async (options) => {
    try {
      return await stageKeys(keysName(stage, 'WEBHOOK_KEYS'), { now: runtime.now, log })(options);
    } catch (error) {
      if (error instanceof DependencyUnavailable || !(error instanceof Error)) throw error;
      throw error.cause ?? new OperatorError(error.message);
    }
  };

const connectDeployed = async (stage: string): Promise<Stage> => {
  const { region, webhookTargets: targets, providers } = readStageSettings(stage);
  // Every AWS client of this process uses this variable. So the stage's region wins over the operator's default region.
  if (region !== undefined) process.env.AWS_REGION = region;
  // Imported only here, because commands on the local stack start faster without that client.
  const { findStage } = await import('./stage-outputs.ts');
  const outputs = await findStage(stage);
  const { TableName: tableName, DueShards: dueShards, BaseUrl: baseUrl } = outputs;
  const { FirstQueueUrl, RetryQueueUrl, SlowQueueUrl, TestQueueUrl } = outputs;
  const queueUrls = { first: FirstQueueUrl, retry: RetryQueueUrl, slow: SlowQueueUrl, test: TestQueueUrl };
  const { ProviderSecrets: enabledProviders } = outputs;
  const operator = memoize(readCallerIdentity);
  const sources = {
    tableName,
    dueShards,
    queueUrls,
    moneyQueuesUrl: outputs.MoneyQueuesUrl,
    targets,
    baseUrl,
    enabledProviders,
    who: operator,
    webhookKeys: readWebhookKeys(stage),
  };
  const connected = createStage({ ...sources, providerSettings: withSecrets(providers, enabledProviders) });
  const { FirstDeadLetterQueueUrl: first, RetryDeadLetterQueueUrl: retry, SlowDeadLetterQueueUrl: slow } = outputs;
  const { TestDeadLetterQueueUrl: test } = outputs;
  return { ...connected, deadLetters: deadLetterQueues(connectQueue(), { first, retry, slow, test }) };
};

/**
 * Connects to the table and the queues of the running local stack, or of a deployed stage by the outputs of its CDK stacks.
 * @throws OperatorError if the stage does not exist or does not run; for a deployed stage also what the SDK throws.
 */
export const connectStage = async (stage: string): Promise<Stage> =>
  stage === LOCAL ? connectLocal() : connectDeployed(stage);

/** Turns an API error, or a known error of a stage's table or queues, into an OperatorError; returns any other error as it is. */
export const stageFailure = (stage: string, error: unknown): unknown => {
  if (error instanceof ApiError && error.code === 'service_unavailable') {
    return new OperatorError(
      'Somebody else changed the same data during every attempt, so nothing was written. Run the command again.',
    );
  }
  const failure = asOperatorError(error);
  if (stage !== LOCAL) return awsFailure(stage, failure);
  return isUnreachable(unwrapCause(failure)) ? notRunningError() : failure;
};
