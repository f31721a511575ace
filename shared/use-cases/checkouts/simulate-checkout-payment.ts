import { acceptPayment, type Checkout, ensurePayable, fail, isLate } from '#shared/domain/checkouts/checkout.ts';
import { type Kobo, subtractDownToZero } from '#shared/domain/kernel/money.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { type Payment, paymentFrom } from '#shared/domain/money/payment.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import { type ChangeDeps, changeNamedCheckout, type Decide } from '#shared/use-cases/money/change-checkout.ts';
import { sandboxMoney } from '#shared/use-cases/money/sandbox-money.ts';

export interface SimulateCheckoutInput {
  readonly reference: string;
  readonly status: 'success' | 'failed';
  /** Kobo; what is still due when undefined. */
  readonly amount: Kobo | undefined;
  /** Pay after the checkout's expiry, whenever that is. */
  readonly late: boolean;
  readonly senderName: string | null;
  readonly senderBank: string | null;
}

/**
 * Pays or fails a test checkout through the code that real money takes (api-decisions.md section 4).
 * @throws the refusals checkout_not_found, checkout_not_payable.
 */
export const simulateCheckoutPayment = (
  deps: ChangeDeps,
  tenant: Tenant,
  input: SimulateCheckoutInput,
  answer: (checkout: Checkout) => SealedAnswer | undefined,
): Promise<Checkout> => {
  const paymentFor = (checkout: Checkout): Payment => {
    const recordedAt = deps.now();
    const paidAt = input.late ? Math.max(recordedAt, checkout.expiresAt + SECOND) : recordedAt;
    const id = deps.newId('pay');
    const { mode, businessId, provider, reference } = checkout;
    return paymentFrom(
      { id, recordedAt },
      { mode, businessId, provider, owner: { kind: 'checkout', reference } },
      sandboxMoney(input, { providerReference: reference, paidAt }),
      {
        origin: { kind: 'transfer', transferId: id },
        amount: input.amount ?? subtractDownToZero(checkout.amountToPay, checkout.paidAmount),
        outcome: 'accepted',
        late: isLate(checkout, paidAt),
      },
    );
  };
  const decide: Decide = (checkout) => {
    if (input.status === 'failed') return fail(checkout);
    ensurePayable(checkout);
    const payment = paymentFor(checkout);
    return { ...acceptPayment(checkout, payment), payment };
  };
  return changeNamedCheckout(deps, tenant, input.reference, decide, answer);
};
