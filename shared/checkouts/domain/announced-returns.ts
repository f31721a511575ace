import * as z from 'zod/mini';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { ordinal, text } from '#shared/platform/kernel/schemas.ts';

/**
 * An announced return of money that never counted. Some providers report one return twice: first a notification says that they rejected
 * the transfer, later a look-up of its transaction shows the return. We remember the first report, so that the second is not announced.
 */
export const announcedReturn = z.object({
  transaction: personal('none', text),
  amount: kobo,
  reportedBy: z.enum(['notification', 'look_up']),
  /** Number of returns of this transaction and amount that only `reportedBy` has reported so far. */
  times: ordinal,
});
export type AnnouncedReturn = z.infer<typeof announcedReturn>;

/**
 * Maximum number of announced returns that a checkout remembers. The oldest are forgotten first. The maximum keeps the item small enough to
 * write, even if a payer again and again sends money that the provider returns. A forgotten return may be announced twice, but every return
 * is announced.
 */
export const MAX_ANNOUNCED = 50;

/** A return that was just reported. */
export interface ReportedReturn {
  readonly transaction: string;
  /** Kobo. */
  readonly amount: Kobo;
  readonly reportedBy: AnnouncedReturn['reportedBy'];
}

/**
 * Notes a report of a return, and forgets the oldest announced returns beyond the maximum. If the other source (`reportedBy`) has already
 * reported a return of the same transaction and amount, this is the second report of that return: `isNew` is false, and we forget that
 * return, because both its reports have come.
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
  return { announcedReturns: [...others, ...remaining].slice(-MAX_ANNOUNCED), isNew };
};
