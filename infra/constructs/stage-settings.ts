import * as z from 'zod';
import type { OpenRoutes } from '#infra/function-spec.ts';
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
import { KEPT_UNRESERVED, MOST_FENCED_OFF, SLOW_FUNCTIONS, sumReserved } from './reserved-concurrency.ts';
import { type ThrottleGroup, throttledRoutes } from './route-throttles.ts';

/** Days that CloudWatch can keep log lines for, of those that anybody would want. */
const logRetentionDays = z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653]);

/** AWS takes 2 to 1,000 for an event source. */
const laneConcurrency = z.number().int().min(2).max(1_000);

const arn = (service: string, what: string) =>
  z.string().regex(new RegExp(`^arn:aws[a-z-]*:${service}:`), `must be the ARN of ${what}`);

/** Requests a second, and at once. */
const limit = z.strictObject({ rate: z.number().int().min(1), burst: z.number().int().min(1) });

/** The only region that has the metrics of Route 53's health checks. */
export const OUTSIDE_REGION = 'us-east-1';

/** The settings of one stage, as `infra/config.ts` writes them. */
const stageSettings = z.strictObject({
  /** Deploying with credentials of another account or to another region is refused; left out, any will do. Prod is not deployed without. */
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be the 12 digits of an AWS account')
    .optional(),
  region: z.string().min(1).optional(),
  /** The API's own name, and its certificate in the stage's region. Left out, the API has the name that AWS gives it. */
  domain: z.strictObject({ name: z.string().min(4), certificateArn: arn('acm', 'a certificate in ACM') }).optional(),
  /** What the stage takes from everybody together: of its endpoints, and of each route that needs no key. */
  throttle: z.strictObject({
    ...limit.shape,
    /** Of all providers together. What is refused comes again, and is found by reconciliation. */
    notifications: limit,
    health: limit,
    /** The API document in each of its forms, the pages of the documentation, and what their search finds: each route. */
    pages: limit,
    /** A payer's page and its question what is new, each. A payer asks every five seconds while looking. */
    payers: limit,
    /** What a payer's page sends: that the money was sent, and simulations. */
    payersForms: limit,
    /** The logo on a payer's page, which a browser asks for once. Beyond it the page shows the name alone. */
    logos: limit,
    /** Paths that do not exist. */
    otherPaths: limit,
    /** Each endpoint of webhook endpoints, events, lists and simulations, under keys. */
    management: limit,
    /** Each endpoint of the dashboard, of all its users together. */
    dashboard: limit,
  } satisfies Record<OpenRoutes | 'management' | 'dashboard' | 'rate' | 'burst', z.ZodType>),
  /** Requests a second of one key, and of one source address under a public key. Zero: no limit. */
  requestsPerSecond: apiEnv.shape.RATE_LIMITS.def.out,
  /**
   * Accounts within so many seconds that one business may open at one provider: its servers (who may also close and expire as many by
   * hand), all browsers with its public key, and one address of these. Zero of something: no limit of it.
   */
  providerQuota: createVirtualAccountsEnv.shape.PROVIDER_QUOTA.def.out,
  concurrency: z.strictObject({
    /**
     * Whether notifications and consumers get concurrency that nobody else can take, and what is slow a ceiling. It comes out of the account's quota,
     * of which AWS keeps 100 unreserved: a new account with a quota of 10 can reserve none.
     */
    reserved: z.boolean(),
    notifications: z.number().int().min(1),
    /**
     * Of the consumers. Of webhooks: for live first attempts, retries and slow endpoints, and for all of test mode. Of money: for each provider,
     * as many as it bears by its published or agreed limit, each with five look-ups at once; two where nobody says more.
     */
    lanes: z.strictObject({
      ...byLane(LANES, () => laneConcurrency),
      ...byLane(MONEY_LANES, () => laneConcurrency.default(2)),
    }),
    /**
     * Calls a second that all consumers of a provider's money work make together, by its published or agreed limit. What businesses and payers
     * ask for comes on top. As many as there is work, where nobody says more.
     */
    lookUpsPerSecond: z.partialRecord(z.enum(PROVIDERS), z.number().min(1)).default({}),
    /** Lists of a provider's payments that reconciliation compares side by side, in its lane; one where nobody says more. */
    listsAtOnce: z.partialRecord(z.enum(PROVIDERS), z.number().int().min(1).max(MOST_LISTS)).default({}),
    /** The ceiling of each function whose request can last seconds (`isSlow` in `infra/functions.ts`). */
    ceiling: z.number().int().min(1),
    /** Runs of each sweep that begin together, each with its share of the due-work index. */
    sweeps: z.number().int().min(1).max(16).default(1),
    /** What the account and region has at once; 1,000 unless more was asked for. */
    quota: z.number().int().min(1).default(1_000),
  }),
  logRetentionDays,
  /**
   * Who is notified of alarms: an e-mail address, or an SNS topic that exists. Left out, the stage's topic has no subscriber; prod is not
   * deployed then. `outsideTopicArn`: the same for the check from outside, whose metrics are in us-east-1.
   */
  alarms: z
    .union([
      z.strictObject({ email: z.email() }),
      z.strictObject({
        topicArn: arn('sns', 'a topic in SNS'),
        outsideTopicArn: arn(`sns:${OUTSIDE_REGION}`, `a topic in SNS in ${OUTSIDE_REGION}`).optional(),
      }),
    ])
    .optional(),
  /**
   * Who the dashboard's mails come from, and the identity that SES has verified for it: that address alone, or a domain. Left out, the stage
   * has no dashboard; one that has it is not deployed without its identity.
   */
  mail: z.strictObject({ from: z.email(), identity: z.string().min(3).optional() }).optional(),
  /** Whom integrators ask, as the documents at /docs name it: an e-mail address, an https page, or both. Left out, they name nobody. */
  contact: z.optional(publishedEnv.shape.CONTACT.def.out.def.innerType),
  /** The live providers that are enabled. Their credentials are secrets that the data stack makes; nothing of them stands here. */
  providers: strictProviderSettings(),
  /** Where live checkouts go that name no provider. */
  defaultProvider: initializeCheckoutEnv.shape.DEFAULT_PROVIDER,
  /**
   * The order in which providers are asked for a checkout that names none, of a business that lets its checkouts be routed. Left out, or with the
   * default provider alone, nothing is routed.
   */
  routing: z.strictObject({ order: z.array(z.enum(PROVIDERS)) }).default({ order: [] }),
  /** How providers of test mode behave that are to fail: `slow` ones take 3 s, `refusing` ones refuse, `silent` ones never answer. */
  sandbox: z.optional(initializeCheckoutEnv.shape.SANDBOX.def.out),
  retrySchedule: deliverWebhooksEnv.shape.RETRY_SCHEDULE.def.out,
  webhookTargets: deliverWebhooksEnv.shape.WEBHOOK_TARGETS,
  /** Partitions of the due-work index. It may grow; what lies in a partition that is taken away is never swept. */
  dueShards: z.number().int().min(1).max(256),
  /**
   * Units a second that the table and each of its indexes bear at once, before they have borne as much: for a launch. It is paid once for
   * what is beyond DynamoDB's own 12,000 and 4,000, and is never lowered.
   */
  warmThroughput: z
    .strictObject({ reads: z.number().int().min(12_000), writes: z.number().int().min(4_000) })
    .optional(),
  /**
   * A spending fuse: units a second beyond which the table, and each of its indexes, throttle for whoever asks. Such calls are refused
   * with 503, or come again. Left out, the account's quota is all that bounds a bill.
   */
  mostThroughput: z.strictObject({ reads: z.number().int().min(1), writes: z.number().int().min(1) }).optional(),
  /** `retain`: table, secrets and logs outlive their stack and their functions, the table refuses to be deleted, and source maps are kept. */
  removal: z.enum(['destroy', 'retain']),
  /** The name of a table that was restored from a point in time: the functions use it in place of the stack's own. */
  restoredTable: z.string().min(3).optional(),
});

/** What `infra/config.ts` writes for a stage. */
export type StageInput = z.input<typeof stageSettings>;
type Settings = z.output<typeof stageSettings>;
/** A stage's settings, checked, with its name. */
export interface StageSettings extends Settings {
  readonly stage: string;
}

/** The stage that moves real money, by its name: it refuses what the others may have. */
export const PROD = 'prod';

/** The throttles of all routes of some groups together. */
const sumThrottles = (settings: StageSettings, field: 'rate' | 'burst', ...groups: readonly ThrottleGroup[]): number =>
  throttledRoutes(settings)
    .filter(({ group }) => groups.includes(group))
    .reduce((sum, limit) => sum + limit[field], 0);

/** How many keys at their limit a stage must bear before it throttles everybody. */
const BUSY_KEYS = 4;

/** The operator's own topic for the check from outside, where there is one. */
export const findOutsideTopic = ({ alarms }: Pick<StageSettings, 'alarms'>): string | undefined => {
  if (!alarms || !('topicArn' in alarms)) return undefined;
  return alarms.topicArn.split(':')[3] === OUTSIDE_REGION ? alarms.topicArn : alarms.outsideTopicArn;
};

/** The domain of an e-mail address. */
export const parseDomain = (address: string): string => address.slice(address.indexOf('@') + 1);

/** The executions of its quota that a stage leaves to whatever has none of its own. */
const unreserved = ({ concurrency }: StageSettings): number => concurrency.quota - sumReserved(concurrency);

/** A rule that the settings of a stage keep. `message` says what to write. */
export interface Rule {
  readonly setting: string;
  readonly holds: (settings: StageSettings) => boolean;
  readonly message: string;
}

const RULES: readonly Rule[] = [
  {
    setting: 'throttle.rate',
    holds: ({ throttle, requestsPerSecond: { live, test } }) => throttle.rate >= BUSY_KEYS * Math.max(live, test),
    message: `must be at least ${BUSY_KEYS} times the requests a second of one key`,
  },
  {
    setting: 'throttle.burst',
    holds: ({ throttle, requestsPerSecond: { live, test } }) => throttle.burst >= Math.max(live, test),
    message: 'must be at least the requests a second of one key',
  },
  ...(['rate', 'burst'] as const).map(
    (field): Rule => ({
      setting: 'throttle',
      holds: (settings) => sumThrottles(settings, field, 'open') <= settings.throttle[field] / 2,
      message: `must give the routes that need no key at most half of its ${field}, all of them together`,
    }),
  ),
  {
    setting: 'throttle.notifications.burst',
    holds: ({ throttle, concurrency: { reserved, notifications } }) =>
      !reserved || throttle.notifications.burst <= notifications,
    message: 'must be at most concurrency.notifications, since Lambda fails more at once',
  },
  {
    setting: 'throttle',
    holds: (settings) =>
      sumThrottles(settings, 'burst', 'management', 'dashboard') <= unreserved(settings) ||
      unreserved(settings) < KEPT_UNRESERVED,
    message:
      'must leave what checkouts need: management and dashboard may have at most what is not reserved at once, all their routes together',
  },
  {
    setting: 'concurrency.ceiling',
    holds: ({ concurrency: { ceiling } }) => ceiling * SLOW_FUNCTIONS.length <= MOST_FENCED_OFF,
    message: `must fence off at most ${MOST_FENCED_OFF} executions, all functions with a ceiling together`,
  },
  {
    setting: 'concurrency',
    holds: (settings) => unreserved(settings) >= KEPT_UNRESERVED,
    message: `must leave ${KEPT_UNRESERVED} of its quota unreserved, which AWS insists on`,
  },
  ...(['reads', 'writes'] as const).map(
    (units): Rule => ({
      setting: `mostThroughput.${units}`,
      holds: ({ mostThroughput, warmThroughput }) =>
        !mostThroughput || !warmThroughput || mostThroughput[units] >= warmThroughput[units],
      message: `must be at least warmThroughput.${units}, which is paid for`,
    }),
  ),
  {
    setting: 'alarms.outsideTopicArn',
    holds: (settings) => {
      const { alarms, domain } = settings;
      return !domain || !alarms || 'email' in alarms || findOutsideTopic(settings) !== undefined;
    },
    message: `must be a topic in ${OUTSIDE_REGION}, where the check of the domain from outside has its alarm`,
  },
  {
    setting: 'mail.identity',
    holds: ({ mail }) =>
      mail?.identity === undefined ||
      mail.from === mail.identity ||
      `.${parseDomain(mail.from)}`.endsWith(`.${mail.identity}`),
    message: 'must be the address mail.from, its domain, or a domain above that',
  },
  ...PROVIDER_RULES,
  {
    setting: 'webhookTargets',
    holds: ({ stage, webhookTargets }) => stage !== PROD || webhookTargets === 'public',
    message: `must be "public" in ${PROD}, since "any" lets webhooks reach into AWS`,
  },
  {
    setting: 'removal',
    holds: ({ stage, removal }) => stage !== PROD || removal === 'retain',
    message: `must be "retain" in ${PROD}`,
  },
];

/** The rules that a stage breaks, those of its providers last. */
const brokenRules = (settings: StageSettings): readonly string[] => [
  ...RULES.filter(({ holds }) => !holds(settings)).map(({ setting, message }) => `${setting} ${message}`),
  ...(settings.stage === PROD ? settingsRefusedInProd(settings.providers).map((words) => `providers.${words}`) : []),
];

/** The error of a stage whose settings are wrong. */
export const settingsError = (stage: string, wrong: readonly string[]): Error =>
  new Error(`Correct stage "${stage}" in infra/config.ts: ${wrong.join('; ')}.`);

/**
 * Checks a stage's settings.
 * @throws Error with one sentence that names every setting that is wrong, and what to write.
 */
export const parseStage = (stage: string, input: unknown): StageSettings => {
  const parsed = stageSettings.safeParse(input);
  const wrong = parsed.success
    ? brokenRules({ ...parsed.data, stage })
    : parsed.error.issues.map(({ path, message }) =>
        [path.join('.'), message.replace(/^[A-Z]/, (letter) => letter.toLowerCase())].join(' ').trim(),
      );
  if (parsed.success && wrong.length === 0) return { ...parsed.data, stage };
  throw settingsError(stage, wrong);
};

/** The account and region that a stage's stacks insist on; without them any credentials will do. */
export const toStackEnv = ({ account, region }: StageSettings) => ({
  ...(account === undefined ? {} : { account }),
  ...(region === undefined ? {} : { region }),
});
