import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { hasUsed } from '#shared/providers/domain/attempt-reference.ts';
import type { ReportedMoney, ReportState } from '#shared/providers/domain/report.ts';
import type { Checkout } from './checkout.ts';

/**
 * Whether a checkout is paid because its provider considers the charge complete. Only a charge of the checkout's own that asked for at
 * least its amount does that; of any other charge only the money counts (0024-own-charges.md).
 */
export const isCompletedBy = (checkout: Checkout, { payee, asked }: ReportedMoney, state: ReportState): boolean =>
  state === 'complete' &&
  payee.by === 'our_reference' &&
  hasUsed(checkout, payee.reference) &&
  (asked ?? ZERO_KOBO) >= checkout.amount;
