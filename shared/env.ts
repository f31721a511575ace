import * as z from 'zod';
import { providerName } from '#shared/domain/provider.ts';

const name = z.string().min(1);

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
});

const queueEnv = z.object({ DELIVERY_QUEUE_URL: z.url() });

/** An endpoint whose work ends in webhooks. */
export const landingEnv = apiEnv.extend(queueEnv.shape);

/** The endpoint that starts checkouts. */
export const initializeEnv = apiEnv.extend({ DEFAULT_PROVIDER: providerName });

/** The consumer of the delivery queue. */
export const deliveryEnv = tableEnv.extend(queueEnv.shape);

/** The scheduled sweeper of the due-work index. */
export const sweepEnv = tableEnv.extend(queueEnv.shape);

/** `/health`. */
export const healthEnv = tableEnv.extend(queueEnv.shape);

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
