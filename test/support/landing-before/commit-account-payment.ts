import type { Business } from '#shared/businesses/domain/business.ts';
import { paymentView } from '#shared/payments/contract/payment-view.ts';
import type { Payment } from '#shared/payments/domain/payment.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { announcement, sendNow } from '#shared/webhooks/use-cases/announce.ts';
import type { ChangeDeps } from './change-checkout.ts';
import type { AccountWithdrawal } from './land-on-virtual-account.ts';

interface Found {
  readonly business: Business;
  readonly virtualAccount: VirtualAccount;
}

const announced = (
  deps: ChangeDeps,
  { business, virtualAccount }: Found,
  kind: 'received' | 'reversed',
  payment: Payment,
) => {
  const data = { payment: paymentView(payment), virtual_account: virtualAccountView(virtualAccount) };
  return announcement(deps, business, virtualAccount.mode, `virtual_account.payment_${kind}`, data);
};

/** A payment that a virtual account received, or the reversal of one. */
interface AccountPayment {
  readonly kind: 'received' | 'reversed';
  readonly payment: Payment;
}

/** The payment with its event and its deliveries, for one transaction. The account does not change, so its version is not checked. */
const entryOf = (deps: ChangeDeps, found: Found, { kind, payment }: AccountPayment) => ({
  ...(kind === 'reversed' ? { reversed: [payment] } : { payment }),
  ...announced(deps, found, kind, payment),
});

/**
 * Records a payment of a virtual account in one transaction, then queues the deliveries. `conflict`: nothing was written, as the payment
 * has changed since it was read.
 */
export const commitAccountPayment = async (
  deps: ChangeDeps,
  found: Found,
  payment: AccountPayment,
): Promise<'recorded' | 'conflict'> => {
  const entry = entryOf(deps, found, payment);
  if ((await deps.ledger.record(entry)) !== 'recorded') return 'conflict';
  await sendNow(deps, entry.deliveries);
  return 'recorded';
};

/** The same as a decision. */
export const decideAccountPayment = (deps: ChangeDeps, found: Found, payment: AccountPayment): Decision<Payment> => {
  const entry = entryOf(deps, found, payment);
  return {
    result: payment.payment,
    writes: deps.ledger.writes(entry),
    afterwards: () => sendNow(deps, entry.deliveries),
  };
};

/**
 * Records what was taken out of a payment of a virtual account. A refund of a part is announced as the reversal of the payment and as
 * the payment that is left, in one transaction. `conflict`: nothing was written, as a payment has changed since it was read.
 */
export const commitAccountWithdrawal = async (
  deps: ChangeDeps,
  found: Found,
  { reversed, rest, noted }: AccountWithdrawal,
): Promise<'recorded' | 'conflict'> => {
  const [payment] = reversed;
  const reversal = payment && announced(deps, found, 'reversed', payment);
  const also = rest && announced(deps, found, 'received', rest);
  const entry = { reversed, noted, ...(rest && { payment: rest }), ...reversal, also };
  if ((await deps.ledger.record(entry)) !== 'recorded') return 'conflict';
  await sendNow(deps, [...(reversal?.deliveries ?? []), ...(also?.deliveries ?? [])]);
  return 'recorded';
};
