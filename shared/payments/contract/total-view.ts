import type { DailyTotal } from '#shared/payments/domain/daily-total.ts';

/** Renders a day's total in naira. A sum may exceed the largest single amount, so its type is not `Kobo`. */
export const totalView = ({ date, count, amount, rejected, reversed }: DailyTotal & { readonly date: string }) => ({
  date,
  count,
  amount: amount / 100,
  rejected: rejected / 100,
  reversed: reversed / 100,
});
