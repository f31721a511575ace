import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { count, millis, nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import { MINUTE, type Millis } from '#shared/domain/kernel/time.ts';
import { providerName } from '#shared/domain/providers/provider.ts';
import { reportedMoney, reportState } from './report.ts';

/** Money that matches no account and no checkout of ours (yet). A transfer is kept under the key that its payment will have; of a running total there is one entry. */
export const unmatchedPayment = z.object({
  id: idSchema('pay'),
  mode: z.literal('live'),
  provider: providerName,
  transferId: nonEmptyString,
  money: reportedMoney,
  /** How the provider saw the payment as a whole. */
  state: reportState,
  /** When the answer was asked for that told of it; 0 where nobody asked. The latest answer about a running total stands. */
  askedAt: millis,
  recordedAt: millis,
  /** How often it was matched again. */
  tries: count,
});
export type UnmatchedPayment = z.infer<typeof unmatchedPayment>;

/** Milliseconds after it was recorded at which unmatched money is matched again (architecture.md section 4). After that people look at it. */
const MATCH_AGAIN = [MINUTE, 5 * MINUTE, 60 * MINUTE] as const;

/** When unmatched money is matched again by itself; null when it waits for people, or for an account that appears. */
export const matchDue = ({ recordedAt, tries }: UnmatchedPayment): Millis | null => {
  const gap = MATCH_AGAIN[tries];
  return gap === undefined ? null : recordedAt + gap;
};

/** Whether this try is the last before it waits for people. */
export const isLastTry = (before: UnmatchedPayment): boolean =>
  matchDue({ ...before, tries: before.tries + 1 }) === null;

/** It is matched again as if it had just come: somebody who may be its payee is still on the way. */
export const waitOn = (before: UnmatchedPayment, now: Millis): UnmatchedPayment => ({
  ...before,
  recordedAt: now,
  tries: 0,
});
