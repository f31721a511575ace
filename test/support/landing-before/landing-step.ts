import { noteReturn } from '#shared/checkouts/domain/announced-returns.ts';
import {
  type Checkout,
  type CheckoutStep,
  completePayment,
  isLate,
  rejectPayment,
} from '#shared/checkouts/domain/checkout.ts';
import { isCompletedBy } from '#shared/checkouts/domain/completion.ts';
import { type NewPayment, type Payment, paymentFrom } from '#shared/payments/domain/payment.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import { isReturned, type ReportedMoney, type ReportState } from '#shared/providers/domain/report.ts';

/** A step of a checkout with the payments that cause it. */
export interface LandingStep extends CheckoutStep {
  /** A payment that is new. */
  readonly payment?: Payment;
  /** Payments that counted until now. */
  readonly reversed?: readonly Payment[];
  /** A payment on which a refund is noted. */
  readonly noted?: { readonly before: Payment; readonly after: Payment } | undefined;
  /** The same report causes another step after this one. */
  readonly isPartial?: boolean;
}

/** Everything that a landing is decided on, apart from the checkout and the money. */
export interface LandingContext extends NewPayment {
  /** The provider that made the report. */
  readonly provider: ProviderName;
  /** A refund that the provider reported of this money. */
  readonly refund?: Refund | undefined;
  /** When we began to ask for the report, in milliseconds; 0 where that is not known. */
  readonly askedAt: Millis;
  /** The payment that is recorded of the same transfer or rejection. */
  readonly known?: Payment | undefined;
  /** How the provider sees the payment as a whole. */
  readonly state: ReportState;
  /** The payments that `paymentsToRead` asked for. */
  readonly parts?: readonly Payment[];
}

/** What all payments of a checkout have in common. */
export const onCheckout = ({ mode, businessId, provider, reference, merchantReference }: Checkout) => ({
  mode,
  businessId,
  provider,
  owner: { kind: 'checkout', reference } as const,
  ...(merchantReference !== null && { merchantReference }),
});

/** A new payment of the checkout. Without a reported time of payment it is not late: such a provider refuses late money itself. */
export const newPayment = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedMoney,
  recorded: Pick<Payment, 'amount' | 'origin' | 'outcome'>,
): Payment =>
  paymentFrom(context, { ...onCheckout(checkout), provider: context.provider }, money, {
    ...recorded,
    late: money.paidAt !== null && isLate(checkout, money.paidAt),
  });

/** No money moved, but the provider may consider the checkout paid with what already counts. */
export const completeOnly = (
  context: LandingContext,
  checkout: Checkout,
  money: ReportedMoney,
): LandingStep | undefined =>
  isCompletedBy(checkout, money, context.state) && !isReturned(money)
    ? completePayment(checkout, { ...money, paidAt: money.paidAt ?? context.recordedAt })
    : undefined;

/** Records the return of money that never counted, and announces it unless it was announced before. */
export const returnMoney = (checkout: Checkout, money: ReportedMoney, payment: Payment): LandingStep => {
  const { announcedReturns, isNew } = noteReturn(checkout.announcedReturns, {
    transaction: money.kind === 'transfer' ? money.transferId : money.providerReference,
    amount: payment.amount,
    reportedBy: money.kind === 'rejection' ? 'notification' : 'look_up',
  });
  const next = { ...checkout, announcedReturns };
  return isNew ? { ...rejectPayment(next, payment), payment } : { checkout: next, announce: null, payment };
};
