import * as z from 'zod/mini';
import { amount, success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { lagosDaysBetween } from '#shared/platform/kernel/lagos-day.ts';
import { count } from '#shared/platform/kernel/schemas.ts';

const MAX_DAYS = 92;

/** A day in Lagos time. */
export const day = z.iso.date('must be a day, such as 2026-11-20.');

export const totalOfDay = z.object({ date: day, count, amount, rejected: amount, reversed: amount });

const isPeriod = ({ from, to }: { from: string; to: string }): boolean => {
  // An invalid day has its own error.
  if (!day.safeParse(from).success || !day.safeParse(to).success) return true;
  const days = lagosDaysBetween(from, to);
  return days >= 0 && days < MAX_DAYS;
};

export const getTotalsContract = contract({
  method: 'GET',
  path: '/api/v1/totals',
  summary: 'Get the totals of each day in Lagos: accepted, rejected and reversed money.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z.object({ from: day, to: day }).check(
    z.refine(isPeriod, {
      path: ['to'],
      error: `must be the same day as from, or at most ${MAX_DAYS - 1} days after it.`,
    }),
  ),
  body: null,
  success: { status: 200, body: success(z.array(totalOfDay)) },
  errors: ['validation_failed'],
});
