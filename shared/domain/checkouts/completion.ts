import { ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import type { ReportedMoney, ReportState } from '#shared/domain/money/report.ts';
import { hasUsed } from './attempt-reference.ts';
import type { Checkout } from './checkout.ts';

/**
 * Whether a provider's word makes a checkout paid: it takes a charge as complete that is the checkout's own, and that asked for at
 * least the checkout's amount. Of any other charge only the money counts (decision 24).
 */
export const isCompletedBy = (checkout: Checkout, { payee, asked }: ReportedMoney, state: ReportState): boolean =>
  state === 'complete' &&
  payee.by === 'our_reference' &&
  hasUsed(checkout, payee.reference) &&
  (asked ?? ZERO_KOBO) >= checkout.amount;
