import * as z from 'zod';
import { providerName } from '#shared/domain/provider.ts';
import { type ProviderSettings, providerSettings } from '#shared/domain/provider-settings.ts';
import { rateLimits } from '#shared/domain/rate-limit.ts';
import { retrySchedule } from '#shared/domain/retry-schedule.ts';

const name = z.string().min(1);

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON.' });
    return z.NEVER;
  }
});

/** A function that touches nothing is told nothing. */
export const publicEnv = z.object({});

/** What every function with the table is told; region and credentials come from the Lambda runtime. */
export const tableEnv = z.object({
  STAGE: name,
  TABLE_NAME: name,
  /** How many partitions the due-work index is spread over; the same for all functions of a stage. */
  DUE_SHARDS: z.coerce.number().int().min(1).max(256),
});

/** What every endpoint is told. */
export const apiEnv = tableEnv.extend({
  /** Keys the hashes of request bodies, cursors and e-mail addresses. At least 32 characters, a secret of the stage. */
  HASH_KEY: z.string().min(32),
  /** Requests a second, as JSON. */
  RATE_LIMITS: json.pipe(rateLimits),
});

/** Where first attempts wait. */
const firstQueueEnv = z.object({ FIRST_QUEUE_URL: z.url() });
const retryQueueEnv = firstQueueEnv.extend({ RETRY_QUEUE_URL: z.url() });
/** Where first attempts, retries and slow endpoints wait, each apart. */
const queuesEnv = retryQueueEnv.extend({ SLOW_QUEUE_URL: z.url() });

/** The queues' URLs by lane, as the queue adapter takes them. */
export const queueUrls = (env: z.infer<typeof queuesEnv>) => ({
  first: env.FIRST_QUEUE_URL,
  retry: env.RETRY_QUEUE_URL,
  slow: env.SLOW_QUEUE_URL,
});

/** An endpoint whose work ends in webhooks. */
export const landingEnv = apiEnv.extend(firstQueueEnv.shape);

/** What calls providers, or is called by them: the live ones that the stage has enabled, as JSON. */
const providersEnv = z.object({ PROVIDERS: json.pipe(providerSettings) });

/** A prod stage takes no notification that nobody signed. */
const ensureSigned = ({ STAGE, PROVIDERS }: { STAGE: string; PROVIDERS: ProviderSettings }): boolean =>
  STAGE !== 'prod' || PROVIDERS.monnify?.unsignedNotifications !== true;
const MUST_BE_SIGNED = { path: ['PROVIDERS'], message: 'unsignedNotifications is not for prod.' };

/** An endpoint that opens or closes accounts; money that was faster than its account lands with it. */
export const accountsEnv = landingEnv.extend(providersEnv.shape).refine(ensureSigned, MUST_BE_SIGNED);
/** The endpoints that close accounts. */
export const closingEnv = apiEnv.extend(providersEnv.shape).refine(ensureSigned, MUST_BE_SIGNED);
/** The endpoint that providers call. */
export const notificationEnv = tableEnv
  .extend(firstQueueEnv.shape)
  .extend(providersEnv.shape)
  .refine(ensureSigned, MUST_BE_SIGNED);

/** Where webhooks may go. `any` is for local and emulator stages: there a webhook may go to this very machine. */
const targetsEnv = z.object({ WEBHOOK_TARGETS: z.enum(['public', 'any']) });

/** The endpoint that creates webhook endpoints. */
export const createEndpointEnv = apiEnv.extend(targetsEnv.shape);
/** The endpoint that changes them, which may end in a webhook. */
export const updateEndpointEnv = landingEnv.extend(targetsEnv.shape);

/** The endpoint that starts checkouts. */
export const initializeEnv = accountsEnv.safeExtend({ DEFAULT_PROVIDER: providerName });

/** The consumer of the delivery queues. */
export const deliveryEnv = tableEnv.extend({
  ...queuesEnv.shape,
  ...targetsEnv.shape,
  /** As JSON; `DEFAULT_SCHEDULE` is what api.md promises. */
  RETRY_SCHEDULE: json.pipe(retrySchedule),
});

/** The scheduled sweeper of what is owed to webhooks. */
export const sweepEnv = tableEnv.extend(retryQueueEnv.shape);
/** The scheduled sweeper of what is owed to money. It settles accounts, so it knows how e-mail addresses are hashed. */
export const sweepPaymentsEnv = accountsEnv;

/** `/health`. */
export const healthEnv = tableEnv.extend(firstQueueEnv.shape);

/**
 * Reads a function's settings once, at its cold start.
 * @throws Error that names the variables that are missing or wrong, never their values.
 */
export const readEnv = <S extends z.ZodType>(schema: S, from: Record<string, string | undefined>): z.infer<S> => {
  const parsed = schema.safeParse(from);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
  throw new Error(`Environment variables are missing or wrong: ${names.join(', ')}. See shared/env.ts.`);
};
