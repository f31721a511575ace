import { DEFAULT_SCHEDULE } from '#shared/webhooks/domain/retry-schedule.ts';
import { parseStage, type StageInput, type StageSettings } from './constructs/stage-settings.ts';
import { DEFAULT_PROVIDER_QUOTA, DEFAULT_RATE_LIMITS } from './default-limits.ts';

/** The common settings of all stages. `constructs/stage-settings.ts` explains each setting. */
const COMMON = {
  requestsPerSecond: DEFAULT_RATE_LIMITS,
  providerQuota: DEFAULT_PROVIDER_QUOTA,
  providers: {},
  defaultProvider: 'paystack',
  retrySchedule: DEFAULT_SCHEDULE,
  webhookTargets: 'public',
} satisfies Partial<StageInput>;

const SMALL_THROTTLE = {
  rate: 1_000,
  burst: 1_000,
  notifications: { rate: 200, burst: 10 },
  health: { rate: 10, burst: 10 },
  pages: { rate: 14, burst: 20 },
  payers: { rate: 40, burst: 10 },
  payersForms: { rate: 10, burst: 10 },
  logos: { rate: 10, burst: 10 },
  otherPaths: { rate: 20, burst: 50 },
  management: { rate: 100, burst: 5 },
  dashboard: { rate: 20, burst: 5 },
} satisfies StageInput['throttle'];

/** Every stage. `cdk deploy --all -c stage=<name>` deploys one. One account and region can have several stages. */
const STAGES: Record<string, StageInput> = {
  dev: {
    ...COMMON,
    throttle: {
      rate: 620,
      burst: 600,
      notifications: { rate: 100, burst: 100 },
      health: { rate: 10, burst: 10 },
      pages: { rate: 10, burst: 10 },
      payers: { rate: 20, burst: 10 },
      payersForms: { rate: 10, burst: 5 },
      logos: { rate: 10, burst: 10 },
      otherPaths: { rate: 20, burst: 20 },
      management: { rate: 100, burst: 20 },
      dashboard: { rate: 20, burst: 5 },
    },
    // A new AWS account cannot reserve concurrency.
    concurrency: {
      reserved: false,
      notifications: 5,
      lanes: { first: 5, retry: 2, slow: 2, test: 2 },
      ceiling: 5,
    },
    logRetentionDays: 7,
    dueShards: 4,
    removal: 'destroy',
  },
  staging: {
    ...COMMON,
    throttle: SMALL_THROTTLE,
    concurrency: {
      reserved: true,
      notifications: 10,
      lanes: { first: 10, retry: 5, slow: 5, test: 5 },
      ceiling: 5,
    },
    logRetentionDays: 30,
    dueShards: 4,
    removal: 'destroy',
  },
  prod: {
    ...COMMON,
    // Half of API Gateway's default quota for an account and region. The other half is for everything else in the account.
    throttle: {
      rate: 5_000,
      burst: 2_500,
      // Each notification is answered in milliseconds, so only a flood reaches this limit.
      notifications: { rate: 1_000, burst: 40 },
      health: { rate: 20, burst: 20 },
      pages: { rate: 35, burst: 50 },
      // An open payment page asks for the status of its checkout every five seconds, so this is enough for 2,200 open pages.
      payers: { rate: 450, burst: 20 },
      // A request may call a provider, and a call lasts at most 8 seconds. So with one call each, at most 160 requests to a route wait at once.
      payersForms: { rate: 20, burst: 20 },
      logos: { rate: 50, burst: 20 },
      otherPaths: { rate: 100, burst: 100 },
      management: { rate: 300, burst: 14 },
      dashboard: { rate: 50, burst: 5 },
    },
    concurrency: {
      reserved: true,
      notifications: 40,
      lanes: {
        first: 100,
        retry: 50,
        slow: 50,
        test: 20,
        // Seven executions share `lookUpsPerSecond` equally, so each starts a look-up every 7/40 second. If a look-up takes half a second, a
        // batch of five lasts 1.2 seconds. So seven batches at once make 29 look-ups per second.
        'money-paystack': 7,
        // These providers publish no limit. Agree on a limit with each of them, then raise its number.
        'money-monnify': 3,
        'money-korapay': 3,
        'money-test': 2,
      },
      // Paystack publishes 3,000 look-ups per minute, which is 50 per second. 40 leaves room, because for a moment a new container of Lambda
      // runs beside the one that it replaces.
      lookUpsPerSecond: { paystack: 40 },
      // With four lists, reconciliation is on time up to 15 payments and 15 unpaid checkouts per second. Paystack's limit on openings allows
      // fewer checkouts than that, so four lists are enough.
      listsAtOnce: { paystack: 4 },
      ceiling: 5,
    },
    logRetentionDays: 365,
    dueShards: 16,
    removal: 'retain',
  },
  /** For the deployment test, on an emulator of AWS: webhooks go to this machine, and nothing is retained. */
  emulator: {
    ...COMMON,
    throttle: SMALL_THROTTLE,
    concurrency: {
      reserved: true,
      notifications: 10,
      lanes: { first: 5, retry: 5, slow: 5, test: 5 },
      ceiling: 5,
    },
    logRetentionDays: 1,
    webhookTargets: 'any',
    mail: { from: 'payments@example.com', identity: 'example.com' },
    contact: { email: 'integrations@example.com', url: 'https://example.com/support' },
    // An account that does not exist, so this stage can never reach AWS.
    account: '000000000000',
    region: 'us-east-1',
    // The end-to-end tests send many requests from one address, so these limits are high. Requests are still counted.
    requestsPerSecond: { ...DEFAULT_RATE_LIMITS, test: 250, publicAddress: 250 },
    dueShards: 4,
    removal: 'destroy',
  },
};

/** The names of all stages. */
export const STAGE_NAMES: readonly string[] = Object.keys(STAGES);

/**
 * Returns the settings of the stage that `-c stage=` names.
 * @throws Error that says what to do if the stage does not exist or has a wrong setting.
 */
export const readStageSettings = (
  stage: unknown,
  stages: Readonly<Record<string, unknown>> = STAGES,
): StageSettings => {
  const names = Object.keys(stages).join(', ');
  if (typeof stage !== 'string' || stage === '') {
    throw new Error(`Name the stage with -c stage=<name>, where <name> is one of: ${names}.`);
  }
  if (!Object.hasOwn(stages, stage)) {
    throw new Error(
      `There is no stage "${stage}" in infra/config.ts. Give -c stage=<name>, where <name> is one of: ${names}.`,
    );
  }
  return parseStage(stage, stages[stage]);
};
