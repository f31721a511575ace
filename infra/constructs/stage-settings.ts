import * as z from 'zod';
import type { OpenRouteGroup } from '#infra/function-spec.ts';
import { byLane, MONEY_LANES } from '#infra/lanes.ts';
import { apiEnv } from '#shared/api/env.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { initializeCheckoutEnv } from '#shared/checkouts/env.ts';
import { MOST_LISTS } from '#shared/payments/domain/reconciliation.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { settingsRefusedInProd, strictProviderSettings } from '#shared/providers/settings.ts';
import { createVirtualAccountsEnv } from '#shared/virtual-accounts/env.ts';
import { LANES } from '#shared/webhooks/domain/delivery.ts';
import { deliverWebhooksEnv } from '#shared/webhooks/env.ts';
import { PROVIDER_RULES } from './provider-rules.ts';
import { MAX_CEILING_EXECUTIONS, MIN_UNRESERVED, SLOW_FUNCTIONS, sumReserved } from './reserved-concurrency.ts';
import { type ThrottleGroup, throttledRoutes } from './route-throttles.ts';

/** Retention times that a stage may choose for its CloudWatch logs, in days. CloudWatch allows only certain ones. */
const logRetentionDays = z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653]);

/** The concurrency that AWS allows for an event source: 2 to 1,000. */
const laneConcurrency = z.number().int().min(2).max(1_000);

const arn = (service: string, resource: string) =>
  z.string().regex(new RegExp(`^arn:aws[a-z-]*:${service}:`), `must be the ARN of ${resource}`);

/** A throttle: requests per second, and burst. */
const limit = z.strictObject({ rate: z.number().int().min(1), burst: z.number().int().min(1) });

/** The only region that has the metrics of Route 53's health checks. */
export const OUTSIDE_REGION = 'us-east-1';

/** The settings of one stage in `infra/config.ts`. */
const stageSettings = z.strictObject({
  /** CDK refuses to deploy to another account or region. Optional, except for a deployment of prod. */
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be the 12 digits of an AWS account')
    .optional(),
  region: z.string().min(1).optional(),
  /** The API's own domain, and its certificate in the stage's region. Default: the name that AWS gives the API. */
  domain: z.strictObject({ name: z.string().min(4), certificateArn: arn('acm', 'an ACM certificate') }).optional(),
  /** Throttles, each for all callers together. `rate` and `burst` limit the whole stage. Each other throttle limits every route of its group. */
  throttle: z.strictObject({
    ...limit.shape,
    /** Notifications of all providers together. A provider repeats a throttled notification, and reconciliation finds its money too. */
    notifications: limit,
    health: limit,
    /** Each route that serves a text or a page from the build: the API document, the documentation, the widget, and the dashboard's page. */
    pages: limit,
    /** Two routes: the payment page, and its request for news, which a browser repeats every five seconds. */
    payers: limit,
    /** Forms of a payment page: the payer's report that money was sent, the request for another account, and simulations. */
    payersForms: limit,
    /** The logo on a payment page, which a browser loads once. If it is throttled, the page shows only the name. */
    logos: limit,
    /** Paths that do not exist. */
    otherPaths: limit,
    /** Each route that needs an API key but is not needed to take money, such as the routes of lists, webhook endpoints, events and simulations. */
    management: limit,
    /** Each endpoint of the dashboard, for all its users together. */
    dashboard: limit,
  } satisfies Record<OpenRouteGroup | 'management' | 'dashboard' | 'rate' | 'burst', z.ZodType>),
  /** Requests per second of one key, and of one source address with a public key. Zero: no limit. */
  requestsPerSecond: apiEnv.shape.RATE_LIMITS.def.out,
  /**
   * Accounts that one business may open at one provider within a number of seconds. There are three limits: for its servers, for all
   * browsers with its public key, and for the browsers of one address block. The servers' limit also applies to closings, to expiries by
   * hand and to requeries, each counted separately. Zero: no limit.
   */
  providerQuota: createVirtualAccountsEnv.shape.PROVIDER_QUOTA.def.out,
  concurrency: z.strictObject({
    /**
     * Whether notifications and consumers have reserved concurrency, and slow functions a ceiling. It is taken from the account's quota, of
     * which AWS keeps 100 unreserved: a new account with a quota of 10 can reserve none.
     */
    reserved: z.boolean(),
    notifications: z.number().int().min(1),
    /**
     * For each queue: how many executions of its consumer may run at once. For webhooks: live first attempts, retries, slow endpoints, and all
     * of test mode. For money: each provider, by its published or agreed limit, and test mode. An execution with money work does five
     * look-ups at once. Default for money: 2.
     */
    lanes: z.strictObject({
      ...byLane(LANES, () => laneConcurrency),
      ...byLane(MONEY_LANES, () => laneConcurrency.default(2)),
    }),
    /**
     * Calls per second that all executions of a provider's money work may make together, by its published or agreed limit. Calls that
     * requests of businesses and payers make are not limited by it, and come on top. Default: no limit.
     */
    lookUpsPerSecond: z.partialRecord(z.enum(PROVIDERS), z.number().min(1)).default({}),
    /** Lists of a provider's payments that reconciliation reads at the same time, in the provider's lane. Default: 1. */
    listsAtOnce: z.partialRecord(z.enum(PROVIDERS), z.number().int().min(1).max(MOST_LISTS)).default({}),
    /** The ceiling of each function whose requests can last seconds (`isSlow` in `infra/functions.ts`). */
    ceiling: z.number().int().min(1),
    /** Runs of each sweep that start together, each with its share of the due-work index. */
    sweeps: z.number().int().min(1).max(16).default(1),
    /** Concurrent Lambda executions of the account in the region. Default: 1,000. */
    quota: z.number().int().min(1).default(1_000),
  }),
  logRetentionDays,
  /**
   * The e-mail address, or the existing SNS topic, that gets the alarms. Without it, the stage's topic has no subscriber, and prod is not
   * deployed. `outsideTopicArn` is the topic for the check from outside, whose metrics are in us-east-1.
   */
  alarms: z
    .union([
      z.strictObject({ email: z.email() }),
      z.strictObject({
        topicArn: arn('sns', 'an SNS topic'),
        outsideTopicArn: arn(`sns:${OUTSIDE_REGION}`, `an SNS topic in ${OUTSIDE_REGION}`).optional(),
      }),
    ])
    .optional(),
  /**
   * The sender of the dashboard's mails, and the identity that SES has verified: that address or a domain. Without it, the stage has no
   * dashboard. A stage with a dashboard is not deployed without the identity.
   */
  mail: z.strictObject({ from: z.email(), identity: z.string().min(3).optional() }).optional(),
  /** The contact in the documents at /docs: an e-mail address, an https page, or both. Default: none. */
  contact: z.optional(publishedEnv.shape.CONTACT.def.out.def.innerType),
  /** The enabled live providers. Their credentials are never here, but in secrets that the data stack creates. */
  providers: strictProviderSettings(),
  /** The provider of live checkouts that name none. */
  defaultProvider: initializeCheckoutEnv.shape.DEFAULT_PROVIDER,
  /**
   * The order in which providers are tried for a checkout that names none, at businesses with routing. If it is left out, or has only the
   * default provider, nothing is routed.
   */
  routing: z.strictObject({ order: z.array(z.enum(PROVIDERS)) }).default({ order: [] }),
  /** Providers of test mode that shall fail: `slow` ones take 3 s, `refusing` ones reject, `silent` ones never answer. */
  sandbox: z.optional(initializeCheckoutEnv.shape.SANDBOX.def.out),
  retrySchedule: deliverWebhooksEnv.shape.RETRY_SCHEDULE.def.out,
  webhookTargets: deliverWebhooksEnv.shape.WEBHOOK_TARGETS,
  /** Partitions of the due-work index. The number may only grow: due work in a removed partition is never swept. */
  dueShards: z.number().int().min(1).max(256),
  /**
   * Units per second that the table and each index can take from their first minute on, without growing first: for a launch. Units above
   * DynamoDB's own 12,000 reads and 4,000 writes are paid once. The setting cannot be lowered later.
   */
  warmThroughput: z
    .strictObject({ reads: z.number().int().min(12_000), writes: z.number().int().min(4_000) })
    .optional(),
  /**
   * A limit of cost: above these units per second, the table and each index throttle every caller. Such requests get 503, and work is
   * retried. Without it, only the account's quota limits the bill.
   */
  mostThroughput: z.strictObject({ reads: z.number().int().min(1), writes: z.number().int().min(1) }).optional(),
  /** `retain`: table, secrets and logs outlive their CDK stack and functions, the table has deletion protection, and source maps are kept. */
  removal: z.enum(['destroy', 'retain']),
  /** The name of a table that was restored from a point in time. The functions use it instead of the stage's own table. */
  restoredTable: z.string().min(3).optional(),
});

/** The settings of a stage before they are parsed. */
export type StageInput = z.input<typeof stageSettings>;
type Settings = z.output<typeof stageSettings>;
/** The checked settings of a stage, with its name. */
export interface StageSettings extends Settings {
  readonly stage: string;
}

/** The name of the stage that moves real money. Its settings have stricter rules. */
export const PROD = 'prod';

/** Sums the throttles of all routes in some groups. */
const sumThrottles = (settings: StageSettings, field: 'rate' | 'burst', ...groups: readonly ThrottleGroup[]): number =>
  throttledRoutes(settings)
    .filter(({ group }) => groups.includes(group))
    .reduce((sum, limit) => sum + limit[field], 0);

/** The number of keys that may use their whole rate limit at the same time before the stage throttles everybody. */
const BUSY_KEYS = 4;

/** Finds the operator's own topic for the check from outside; undefined if there is none. */
export const findOutsideTopic = ({ alarms }: Pick<StageSettings, 'alarms'>): string | undefined => {
  if (!alarms || !('topicArn' in alarms)) return undefined;
  return alarms.topicArn.split(':')[3] === OUTSIDE_REGION ? alarms.topicArn : alarms.outsideTopicArn;
};

/** Returns the domain of an e-mail address. */
export const parseDomain = (address: string): string => address.slice(address.indexOf('@') + 1);

/** The executions of the quota that a stage does not reserve. */
const computeUnreserved = ({ concurrency }: StageSettings): number => concurrency.quota - sumReserved(concurrency);

/** A rule for the settings of a stage. `message` says what to set. */
export interface Rule {
  readonly setting: string;
  readonly holds: (settings: StageSettings) => boolean;
  readonly message: string;
}

const RULES: readonly Rule[] = [
  {
    setting: 'throttle.rate',
    holds: ({ throttle, requestsPerSecond: { live, test } }) => throttle.rate >= BUSY_KEYS * Math.max(live, test),
    message: `must be at least ${BUSY_KEYS} times the requests per second of one key`,
  },
  {
    setting: 'throttle.burst',
    holds: ({ throttle, requestsPerSecond: { live, test } }) => throttle.burst >= Math.max(live, test),
    message: 'must be at least the requests per second of one key',
  },
  ...(['rate', 'burst'] as const).map(
    (field): Rule => ({
      setting: 'throttle',
      holds: (settings) => sumThrottles(settings, field, 'open') <= settings.throttle[field] / 2,
      message: `must give all routes without a key together at most half of throttle.${field}`,
    }),
  ),
  {
    setting: 'throttle.notifications.burst',
    holds: ({ throttle, concurrency: { reserved, notifications } }) =>
      !reserved || throttle.notifications.burst <= notifications,
    message: 'must be at most concurrency.notifications, because Lambda rejects more at once',
  },
  {
    setting: 'throttle',
    holds: (settings) =>
      sumThrottles(settings, 'burst', 'management', 'dashboard') <= computeUnreserved(settings) ||
      computeUnreserved(settings) < MIN_UNRESERVED,
    message:
      'must leave executions for checkouts: the bursts of all management and dashboard routes together may be at most the unreserved executions',
  },
  {
    setting: 'concurrency.ceiling',
    holds: ({ concurrency: { ceiling } }) => ceiling * SLOW_FUNCTIONS.length <= MAX_CEILING_EXECUTIONS,
    message: `must reserve at most ${MAX_CEILING_EXECUTIONS} executions for all functions with a ceiling together`,
  },
  {
    setting: 'concurrency',
    holds: (settings) => computeUnreserved(settings) >= MIN_UNRESERVED,
    message: `must leave ${MIN_UNRESERVED} executions of its quota unreserved, because AWS keeps them`,
  },
  ...(['reads', 'writes'] as const).map(
    (units): Rule => ({
      setting: `mostThroughput.${units}`,
      holds: ({ mostThroughput, warmThroughput }) =>
        !mostThroughput || !warmThroughput || mostThroughput[units] >= warmThroughput[units],
      message: `must be at least warmThroughput.${units}, because that is paid for`,
    }),
  ),
  {
    setting: 'alarms.outsideTopicArn',
    holds: (settings) => {
      const { alarms, domain } = settings;
      return !domain || !alarms || 'email' in alarms || findOutsideTopic(settings) !== undefined;
    },
    message: `must be a topic in ${OUTSIDE_REGION}, because the alarm of the check from outside is there`,
  },
  {
    setting: 'mail.identity',
    holds: ({ mail }) =>
      mail?.identity === undefined ||
      mail.from === mail.identity ||
      `.${parseDomain(mail.from)}`.endsWith(`.${mail.identity}`),
    message: 'must be the address mail.from, its domain, or a parent domain',
  },
  ...PROVIDER_RULES,
  {
    setting: 'webhookTargets',
    holds: ({ stage, webhookTargets }) => stage !== PROD || webhookTargets === 'public',
    message: `must be "public" in ${PROD}, because "any" lets webhooks reach private addresses in AWS`,
  },
  {
    setting: 'removal',
    holds: ({ stage, removal }) => stage !== PROD || removal === 'retain',
    message: `must be "retain" in ${PROD}`,
  },
];

/** Finds the rules that a stage breaks, those of its providers last. */
const findBrokenRules = (settings: StageSettings): readonly string[] => [
  ...RULES.filter(({ holds }) => !holds(settings)).map(({ setting, message }) => `${setting} ${message}`),
  ...(settings.stage === PROD ? settingsRefusedInProd(settings.providers).map((words) => `providers.${words}`) : []),
];

/** Makes the error for wrong settings of a stage. */
export const settingsError = (stage: string, wrong: readonly string[]): Error =>
  new Error(`Correct stage "${stage}" in infra/config.ts: ${wrong.join('; ')}.`);

/**
 * Parses a stage's settings.
 * @throws Error that names every wrong setting and says what to set.
 */
export const parseStage = (stage: string, input: unknown): StageSettings => {
  const parsed = stageSettings.safeParse(input);
  const wrong = parsed.success
    ? findBrokenRules({ ...parsed.data, stage })
    : parsed.error.issues.map(({ path, message }) =>
        [path.join('.'), message.replace(/^[A-Z]/, (letter) => letter.toLowerCase())].join(' ').trim(),
      );
  if (parsed.success && wrong.length === 0) return { ...parsed.data, stage };
  throw settingsError(stage, wrong);
};

/** Returns the account and region of a stage's CDK stacks. Without them, the credentials decide. */
export const toStackEnv = ({ account, region }: StageSettings) => ({
  ...(account === undefined ? {} : { account }),
  ...(region === undefined ? {} : { region }),
});
