import * as z from 'zod/mini';
import { rateLimits } from '#shared/domain/rate-limit.ts';
import { retrySchedule } from '#shared/domain/retry-schedule.ts';

const name = z.string().check(z.minLength(1));

/** A text that is JSON, as what it stands for. */
export const json = z.pipe(
  z.string(),
  z.transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.issues.push({ code: 'custom', input: text, message: 'must be JSON.' });
      return z.NEVER;
    }
  }),
);

/** A function that touches nothing is told nothing. */
export const publicEnv = z.object({});

/** What every function with the table is told; region and credentials come from the Lambda runtime. */
export const tableEnv = z.object({
  STAGE: name,
  TABLE_NAME: name,
  /** How many partitions the due-work index is spread over; the same for all functions of a stage. */
  DUE_SHARDS: z.coerce.number().check(z.int(), z.gte(1), z.lte(256)),
});

/** What every endpoint is told. */
export const apiEnv = z.extend(tableEnv, {
  /** Keys the hashes of request bodies, cursors and e-mail addresses. At least 32 characters, a secret of the stage. */
  HASH_KEY: z.string().check(z.minLength(32)),
  /** Requests a second, as JSON. */
  RATE_LIMITS: z.pipe(json, rateLimits),
});

/** Where first attempts wait. */
export const firstQueueEnv = z.object({ FIRST_QUEUE_URL: z.url() });
const retryQueueEnv = z.extend(firstQueueEnv, { RETRY_QUEUE_URL: z.url() });
/** Where first attempts, retries and slow endpoints wait, each apart. */
const queuesEnv = z.extend(retryQueueEnv, { SLOW_QUEUE_URL: z.url() });

/** The queues' URLs by lane, as the queue adapter takes them. */
export const queueUrls = (env: z.infer<typeof queuesEnv>) => ({
  first: env.FIRST_QUEUE_URL,
  retry: env.RETRY_QUEUE_URL,
  slow: env.SLOW_QUEUE_URL,
});

/** An endpoint whose work ends in webhooks. */
export const landingEnv = z.extend(apiEnv, firstQueueEnv.shape);

/** Where webhooks may go. `any` is for local and emulator stages: there a webhook may go to this very machine. */
const targetsEnv = z.object({ WEBHOOK_TARGETS: z.enum(['public', 'any']) });

/** The endpoint that creates webhook endpoints. */
export const createEndpointEnv = z.extend(apiEnv, targetsEnv.shape);
/** The endpoint that changes them, which may end in a webhook. */
export const updateEndpointEnv = z.extend(landingEnv, targetsEnv.shape);

/** The consumer of the delivery queues. */
export const deliveryEnv = z.extend(tableEnv, {
  ...queuesEnv.shape,
  ...targetsEnv.shape,
  /** As JSON; `DEFAULT_SCHEDULE` is what api.md promises. */
  RETRY_SCHEDULE: z.pipe(json, retrySchedule),
});

/** The scheduled sweeper of what is owed to webhooks. */
export const sweepEnv = z.extend(tableEnv, retryQueueEnv.shape);
/** `/health`. */
export const healthEnv = z.extend(tableEnv, firstQueueEnv.shape);

/**
 * Reads a function's settings once, at its cold start.
 * @throws Error that names the variables that are missing or wrong, never their values.
 */
export const readEnv = <S extends z.ZodMiniType>(schema: S, from: Record<string, string | undefined>): z.infer<S> => {
  const parsed = schema.safeParse(from);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
  throw new Error(
    `Environment variables are missing or wrong: ${names.join(', ')}. See shared/env.ts and shared/provider-env.ts.`,
  );
};
