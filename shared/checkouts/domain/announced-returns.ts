import * as z from 'zod/mini';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { ordinal, text } from '#shared/platform/kernel/schemas.ts';

/**
 * An announced return of money that never counted. Some providers report one return twice: by a notification when they reject it, and
 * later by a look-up of its transaction. It is remembered until the second report, so that this one is not announced again.
 */
export const announcedReturn = z.object({
  transaction: personal('none', text),
  amount: kobo,
  reportedBy: z.enum(['notification', 'look_up']),
  /** How many returns of this transaction and amount were reported in this way only. */
  times: ordinal,
});
export type AnnouncedReturn = z.infer<typeof announcedReturn>;

/**
 * How many announced returns of a checkout are remembered, the newest: whoever sends it money that is returned, again and again, must not make
 * it too large to be written. Beyond them a return may be announced twice, and never is one left out.
 */
export const MOST_ANNOUNCED = 50;

/** A return that was just reported. */
export interface ReportedReturn {
  readonly transaction: string;
  /** Kobo. */
  readonly amount: Kobo;
  readonly reportedBy: AnnouncedReturn['reportedBy'];
}

/**
 * Adds a report of a return, and forgets the oldest beyond the most that are remembered. `isNew`: false where it is the second report of an
 * announced return, which is then forgotten.
 */
export const noteReturn = (
  before: readonly AnnouncedReturn[],
  { transaction, amount, reportedBy }: ReportedReturn,
): { readonly announcedReturns: AnnouncedReturn[]; readonly isNew: boolean } => {
  const same = before.find((entry) => entry.transaction === transaction && entry.amount === amount);
  const others = before.filter((entry) => entry !== same);
  const isNew = same === undefined || same.reportedBy === reportedBy;
  const times = (same?.times ?? 0) + (isNew ? 1 : -1);
  const remaining = times > 0 ? [{ transaction, amount, reportedBy: same?.reportedBy ?? reportedBy, times }] : [];
  return { announcedReturns: [...others, ...remaining].slice(-MOST_ANNOUNCED), isNew };
};
