import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import { paymentView } from '#shared/payments/contract/payment-view.ts';
import type { LandingOwner, Posted } from '#shared/payments/domain/landing/landing.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import type { Posting } from './post.ts';

/** Builds the writes for money that lands on a checkout or a virtual account, and the events as merchants see them. */
export const postingOn = (owner: LandingOwner, { entries, events }: Pick<Posted, 'entries' | 'events'>): Posting => {
  const { business } = owner;
  if (owner.kind === 'checkout') {
    const data = checkoutView(entries.checkout?.after ?? owner.checkout);
    return { business, mode: owner.checkout.mode, entries, events: events.map(({ type }) => ({ type, data })) };
  }
  const account = virtualAccountView(owner.virtualAccount);
  const announced = events.map((event) => ({
    type: event.type,
    data: { ...('payment' in event && { payment: paymentView(event.payment) }), virtual_account: account },
  }));
  return { business, mode: owner.virtualAccount.mode, entries, events: announced };
};
