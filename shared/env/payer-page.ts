import * as z from 'zod/mini';
import { text } from '#shared/domain/kernel/schemas.ts';
import { tableEnv, testQueueEnv } from './kernel.ts';

/** A payer's page, which its link admits in place of a key. */
export const payerPageEnv = z.extend(tableEnv, {
  /** The stage's secret, which makes the links. */
  HASH_KEY: text.check(z.minLength(32)),
});
export const simulateOnPageEnv = z.extend(payerPageEnv, testQueueEnv.shape);
