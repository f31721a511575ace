import * as z from 'zod/mini';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import { rateLimits } from '#shared/domain/requests/rate-limit.ts';

/** A text that is JSON, as what it stands for. */
export const json = z.pipe(
  text,
  z.transform((value, context) => {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.issues.push({ code: 'custom', input: value, message: 'must be JSON.' });
      return z.NEVER;
    }
  }),
);

/** A function that touches nothing is told nothing. */
export const publicEnv = z.object({});

/** What every function with the table is told; region and credentials come from the Lambda runtime. */
export const tableEnv = z.object({
  STAGE: nonEmptyString,
  TABLE_NAME: nonEmptyString,
  /** How many partitions the due-work index is spread over; the same for all functions of a stage. */
  DUE_SHARDS: z.coerce.number().check(z.int(), z.gte(1), z.lte(256)),
});

/** What every endpoint is told. */
export const apiEnv = z.extend(tableEnv, {
  /** Keys the hashes of request bodies, cursors and e-mail addresses. At least 32 characters, a secret of the stage. */
  HASH_KEY: text.check(z.minLength(32)),
  /** Requests a second, as JSON. */
  RATE_LIMITS: z.pipe(json, rateLimits),
});

/** Where first attempts wait. */
export const firstQueueEnv = z.object({ FIRST_QUEUE_URL: z.url() });
/** An endpoint whose work ends in webhooks. */
export const landingEnv = z.extend(apiEnv, firstQueueEnv.shape);

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
    `Environment variables are missing or wrong: ${names.join(', ')}. See shared/env/base.ts, shared/env/providers.ts and shared/env/webhooks.ts.`,
  );
};
