import { DEFAULT_SCHEDULE } from '#shared/webhooks/domain/retry-schedule.ts';
import { parseStage, type StageInput, type StageSettings } from './constructs/stage-settings.ts';
import { DEFAULT_PROVIDER_QUOTA, DEFAULT_RATE_LIMITS } from './default-limits.ts';

/** What the stages have in common; what each setting means stands at its schema, `constructs/stage-settings.ts`. */
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

/** Every stage. `cdk deploy --all -c stage=<name>` deploys one; an account and region hold any number of them side by side. */
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
    // Half of what AWS gives an account and region by default: the other half is for whatever else lives there.
    throttle: {
      rate: 5_000,
      burst: 2_500,
      // Each is answered in milliseconds, so only a flood reaches it.
      notifications: { rate: 1_000, burst: 40 },
      health: { rate: 20, burst: 20 },
      pages: { rate: 35, burst: 50 },
      // A payer who looks asks every five seconds: 2,200 of them at once.
      payers: { rate: 450, burst: 20 },
      // A provider is asked for each, which can last as long as its time-out: at most 160 of them hang.
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
        // At the pace below, batches of five last longer than their look-ups: 29 a second of half a second each.
        'money-paystack': 7,
        // These publish no limit: agree one, and raise it.
        'money-monnify': 3,
        'money-korapay': 3,
        'money-test': 2,
      },
      // Paystack publishes 3,000 a minute: 50 a second, which containers that take turns may reach at this pace.
      lookUpsPerSecond: { paystack: 40 },
      // In time to 15 payments a second: more than Paystack's published openings bear with as many checkouts that nobody pays.
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
    // A non-existent account, so that this stage can never reach AWS.
    account: '000000000000',
    region: 'us-east-1',
    // The end-to-end suite is one fast client at one address; the counters run all the same.
    requestsPerSecond: { ...DEFAULT_RATE_LIMITS, test: 250, publicAddress: 250 },
    dueShards: 4,
    removal: 'destroy',
  },
};

/** The names of all stages. */
export const STAGE_NAMES: readonly string[] = Object.keys(STAGES);

/**
 * The settings of the stage that `-c stage=` names.
 * @throws Error with one sentence that says what to write when there is no such stage, or a setting of it is wrong.
 */
export const readStageSettings = (
  stage: unknown,
  stages: Readonly<Record<string, unknown>> = STAGES,
): StageSettings => {
  const choice = Object.keys(stages).join(', ');
  if (typeof stage !== 'string' || stage === '') {
    throw new Error(`Name the stage with -c stage=<name>, where <name> is one of: ${choice}.`);
  }
  if (!Object.hasOwn(stages, stage)) {
    throw new Error(`There is no stage "${stage}" in infra/config.ts: write -c stage=<name> with one of: ${choice}.`);
  }
  return parseStage(stage, stages[stage]);
};
