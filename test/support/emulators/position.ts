import { type Kobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { isReturned, type ReportedMoney } from '#shared/providers/domain/report.ts';

/** Reads from a report how many kobo a provider keeps and how many it has returned. */
export const readPosition = (money: ReportedMoney): { readonly kept: Kobo; readonly returned: Kobo } => {
  if (money.kind === 'cumulative_report') return { kept: money.kept, returned: money.returned };
  const { amount } = money;
  return isReturned(money) ? { kept: ZERO_KOBO, returned: amount } : { kept: amount, returned: ZERO_KOBO };
};
