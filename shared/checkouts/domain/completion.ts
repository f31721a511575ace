import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { MoneyReport } from '#shared/providers/domain/report.ts';
import { findReportedAttempt } from './attempt.ts';
import type { Checkout } from './checkout.ts';

/**
 * Whether a checkout is paid because its provider considers the charge complete. The charge must be the checkout's own and must have asked
 * the payer for at least the checkout's amount. For any other charge only the money counts (0024-own-charges.md).
 */
export const isCompletedBy = (
  checkout: Checkout,
  { provider, state, money: { payee, asked: chargeAmount } }: Pick<MoneyReport, 'provider' | 'state' | 'money'>,
): boolean =>
  state === 'complete' &&
  payee.by === 'our_reference' &&
  findReportedAttempt(checkout, provider, payee.reference) !== undefined &&
  (chargeAmount ?? ZERO_KOBO) >= checkout.amount;
