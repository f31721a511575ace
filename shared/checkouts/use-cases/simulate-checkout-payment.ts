import { type ShownAttempt, shownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import {
  acceptPayment,
  type Checkout,
  endAccountTime,
  ensurePayable,
  fail,
  isLate,
  latestAccepted,
  rejectPayment,
  reversePayments,
} from '#shared/checkouts/domain/checkout.ts';
import { type CheckoutChange, sharedPaymentFields } from '#shared/checkouts/domain/checkout-change.ts';
import { asReversed, type Payment, paymentFrom } from '#shared/payments/domain/payment.ts';
import { type ChangeDeps, decideCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import { sandboxMoney, sandboxOrigin } from '#shared/payments/use-cases/sandbox-money.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { invalid } from '#shared/platform/kernel/errors.ts';
import { type Kobo, subtractDownToZero } from '#shared/platform/kernel/money.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { GIVE_UP_SOON } from '#shared/platform/until-committed.ts';

export interface SimulateCheckoutInput {
  readonly reference: string;
  /**
   * `fail`: the checkout fails. `accepted`, `rejected`: a transfer comes and has this outcome. `reversed`: the newest accepted payment is
   * reversed.
   */
  readonly outcome: Payment['outcome'] | 'fail';
  /** Kobo; undefined: the amount that is still due. */
  readonly amount: Kobo | undefined;
  /** Whether the transfer is made after the account's expiry. If the account has not expired yet, it expires now. */
  readonly late: boolean;
  readonly senderName: string | null;
  readonly senderBank: string | null;
  /** The account that receives the transfer; undefined: the account that the payer sees now. */
  readonly accountNumber?: string | undefined;
}

const findReceivingAttempt = (checkout: Checkout, accountNumber: string | undefined): ShownAttempt => {
  if (accountNumber === undefined) return shownAttempt(checkout);
  const named = shownAttempts(checkout).find(({ account }) => account.accountNumber === accountNumber);
  if (named) return named;
  throw invalid({ field: 'account_number', message: "account_number is not one of this checkout's accounts." });
};

/** Simulates a payment, rejection, reversal or failure on a checkout, with the changes that a report of real money causes. */
export const simulateStep = async (
  deps: ChangeDeps,
  stored: Checkout,
  input: SimulateCheckoutInput,
): Promise<CheckoutChange> => {
  const { outcome } = input;
  const recordedAt = deps.now();
  if (outcome === 'fail') return fail(stored);
  if (outcome === 'reversed') {
    const { id, amount, provider } = latestAccepted(stored);
    const recorded = await deps.ledger.readPayments({ mode: stored.mode, provider }, [sandboxOrigin(id)]);
    const reversed = recorded.map(asReversed);
    return { ...reversePayments(stored, reversed, amount), reversed };
  }
  const paidInto = findReceivingAttempt(stored, input.accountNumber);
  const checkout = input.late ? endAccountTime(stored, paidInto, recordedAt) : stored;
  // An explicit amount lands in every state, as a real transfer would.
  if (input.amount === undefined) ensurePayable(checkout);
  const id = deps.newId('pay');
  const payment = paymentFrom(
    { id, recordedAt },
    { ...sharedPaymentFields(checkout), provider: paidInto.provider },
    sandboxMoney(input, { providerReference: paidInto.reference, paidAt: recordedAt }),
    {
      origin: sandboxOrigin(id),
      amount: input.amount ?? subtractDownToZero(paidInto.amountToPay, checkout.paidAmount),
      outcome,
      late: input.late || isLate(paidInto, recordedAt),
    },
  );
  const step = outcome === 'accepted' ? acceptPayment(checkout, payment) : rejectPayment(checkout, payment);
  return { ...step, payment };
};

/**
 * Decides how a simulated outcome changes a test checkout. Real money makes the same changes, but after a look-up and a comparison.
 * @throws ApiError checkout_not_found, checkout_not_payable, nothing_to_reverse; validation_failed if the checkout has no such account
 * number.
 */
export const simulateCheckoutPayment = async (
  deps: ChangeDeps,
  tenant: Tenant,
  input: SimulateCheckoutInput,
): Promise<Decision<Checkout>> => ({
  ...(await decideCheckout(deps, tenant, input.reference, (checkout) => simulateStep(deps, checkout, input))),
  giveUp: GIVE_UP_SOON,
});
