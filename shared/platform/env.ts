import * as z from 'zod/mini';
import { nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';

/** A variable that holds JSON, parsed. */
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

/** The variables of every function. Region and credentials come from the Lambda runtime. */
export const stageEnv = z.object({ STAGE: nonEmptyString });

/** The variables of every function that uses the table. */
export const tableEnv = z.extend(stageEnv, {
  TABLE_NAME: nonEmptyString,
  /** The number of partitions of the due-work index; the same for all functions of a stage. */
  DUE_SHARDS: z.coerce.number().check(z.int(), z.gte(1), z.lte(256)),
});

/** The place of the stage's keys: the name of their secret; or the secret's content, as JSON, if there is no Secrets Manager. */
export const keysPlace = nonEmptyString;

/** The URL of the queue of live first attempts. */
export const firstQueueEnv = z.object({ FIRST_QUEUE_URL: z.url() });
/** The URL of the queue of test mode. */
export const testQueueEnv = z.object({ TEST_QUEUE_URL: z.url() });
/** The beginning of the URLs of the money queues. A hyphen and the provider's name follow. */
export const moneyQueuesEnv = z.object({ MONEY_QUEUES_URL: z.url() });
/** The queues of a function that announces events of both modes. */
export const announcingEnv = z.extend(firstQueueEnv, testQueueEnv.shape);

/**
 * Reads a function's settings once, at its cold start.
 * @throws Error that names the variables that are missing or wrong, never their values.
 */
export const readEnv = <S extends z.ZodMiniType>(schema: S, from: Record<string, string | undefined>): z.infer<S> => {
  const parsed = schema.safeParse(from);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
  throw new Error(
    `Environment variables are missing or wrong: ${names.join(', ')}. Their schemas are in the env.ts files below shared/.`,
  );
};
