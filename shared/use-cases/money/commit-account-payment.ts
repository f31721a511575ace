import { paymentView } from '#shared/contract/money/payment-view.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import type { Business } from '#shared/domain/businesses/business.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import { announcement, sendNow } from '#shared/use-cases/webhooks/announce.ts';
import type { ChangeDeps } from './change-checkout.ts';

/**
 * Records a payment that a virtual account received, or the reversal of one, with its event, its deliveries and a request's answer in
 * one transaction, then queues the deliveries. The account itself does not change, so its version is not checked. `conflict`: nothing
 * was written, as the payment has changed since it was read.
 */
export const commitAccountPayment = async (
  deps: ChangeDeps,
  { business, virtualAccount }: { readonly business: Business; readonly virtualAccount: VirtualAccount },
  { kind, payment }: { readonly kind: 'received' | 'reversed'; readonly payment: Payment },
  answer?: SealedAnswer,
): Promise<'recorded' | 'conflict'> => {
  const data = { payment: paymentView(payment), virtual_account: virtualAccountView(virtualAccount) };
  const type = `virtual_account.payment_${kind}` as const;
  const { event, deliveries } = announcement(deps, business, virtualAccount.mode, type, data);
  const written = kind === 'reversed' ? { reversed: [payment] } : { payment };
  if ((await deps.ledger.record({ ...written, event, deliveries, answer })) !== 'recorded') return 'conflict';
  await sendNow(deps, deliveries);
  return 'recorded';
};
