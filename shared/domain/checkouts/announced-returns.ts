import * as z from 'zod/mini';
import { type Kobo, kobo } from '#shared/domain/kernel/money.ts';
import { ordinal, text } from '#shared/domain/kernel/schemas.ts';

/**
 * Money that was returned without having counted and was announced, as long as it was reported in one of two ways only. Some
 * providers report the same return twice: by a notification when they reject it, and by a look-up of its transaction later.
 */
export const announcedReturn = z.object({
  transaction: text,
  amount: kobo,
  reportedBy: z.enum(['notification', 'look_up']),
  times: ordinal,
});
export type AnnouncedReturn = z.infer<typeof announcedReturn>;

/** A return that was just reported. */
export interface ReportedReturn {
  readonly transaction: string;
  /** Kobo. */
  readonly amount: Kobo;
  readonly reportedBy: AnnouncedReturn['reportedBy'];
}

/**
 * Adds a report of a return. `isNew` is false where it is the second report of one that was announced before; the two then cancel
 * out and are forgotten.
 */
export const noteReturn = (
  before: readonly AnnouncedReturn[],
  { transaction, amount, reportedBy }: ReportedReturn,
): { readonly announcedReturns: AnnouncedReturn[]; readonly isNew: boolean } => {
  const same = before.find((one) => one.transaction === transaction && one.amount === amount);
  const others = before.filter((one) => one !== same);
  const isNew = same === undefined || same.reportedBy === reportedBy;
  const times = (same?.times ?? 0) + (isNew ? 1 : -1);
  const remaining = times > 0 ? [{ transaction, amount, reportedBy: same?.reportedBy ?? reportedBy, times }] : [];
  return { announcedReturns: [...others, ...remaining], isNew };
};
