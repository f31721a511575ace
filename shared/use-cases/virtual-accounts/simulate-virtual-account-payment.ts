import { paymentView } from '#shared/contract/money/payment-view.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Kobo } from '#shared/domain/kernel/money.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { type Payment, paymentFrom } from '#shared/domain/money/payment.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import { ensureActive } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { ChangeDeps } from '#shared/use-cases/money/change-checkout.ts';
import { sandboxMoney } from '#shared/use-cases/money/sandbox-money.ts';
import { announcement, sendNow } from '#shared/use-cases/webhooks/announce.ts';

export interface SimulateVirtualAccountInput {
  readonly id: string;
  /** Kobo. */
  readonly amount: Kobo;
  readonly senderName: string | null;
  readonly senderBank: string | null;
}

/**
 * Records a transfer to a test virtual account. The account itself does not change, so its version is not checked.
 * @throws the refusals virtual_account_not_found, virtual_account_inactive.
 */
export const simulateVirtualAccountPayment = async (
  deps: ChangeDeps,
  tenant: Tenant,
  input: SimulateVirtualAccountInput,
  answer: (payment: Payment) => SealedAnswer | undefined,
): Promise<Payment> => {
  const found = await deps.ledger.readVirtualAccount(tenant, input.id);
  if (!found) throw new Refusal('virtual_account_not_found');
  const virtualAccount = ensureActive(found.virtualAccount);
  const id = deps.newId('pay');
  const recordedAt = deps.now();
  const { mode, businessId, provider } = virtualAccount;
  const payment = paymentFrom(
    { id, recordedAt },
    { mode, businessId, provider, owner: { kind: 'virtual_account', id: virtualAccount.id } },
    sandboxMoney(input, { providerReference: id, paidAt: recordedAt }),
    { origin: { kind: 'transfer', transferId: id }, amount: input.amount, outcome: 'accepted', late: false },
  );
  const { event, deliveries } = announcement(deps, found.business, mode, 'virtual_account.payment_received', {
    payment: paymentView(payment),
    virtual_account: virtualAccountView(virtualAccount),
  });
  await deps.ledger.record({ payment, event, deliveries, answer: answer(payment) });
  await sendNow(deps, deliveries);
  return payment;
};
