import type { DailyTotal } from '#shared/payments/domain/daily-total.ts';

/** A day's total as answers show it: amounts in naira. Sums may be larger than any one amount, so they are no `Kobo`. */
export const totalView = ({ date, count, amount, rejected, reversed }: DailyTotal & { readonly date: string }) => ({
  date,
  count,
  amount: amount / 100,
  rejected: rejected / 100,
  reversed: reversed / 100,
});
