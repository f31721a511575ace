import { latestAttempt, type ShownAttempt, shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { type Checkout, nextLookUp } from '#shared/checkouts/domain/checkout.ts';
import type { OpeningCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { checkoutKey, inCheckouts, inCheckoutsOfPayer } from '#shared/checkouts/store/keys.ts';
import { dueFamily, inDueWork } from '#shared/platform/table/due-keys.ts';
import { emailHash } from '#shared/platform/table/email-hash.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { paymentAccountKey, receivingAccountKey } from '#shared/virtual-accounts/store/keys.ts';

/**
 * Makes the item of a checkout. The item is on its business's list. If nextLookUp returns a time, the item is due work at that time, in the
 * lane of the provider that is asked then.
 */
export const checkoutItem = (table: Table, checkout: Checkout) => {
  const key = checkoutKey(checkout.reference);
  const due = nextLookUp(checkout);
  return {
    ...checkout,
    ...key,
    ...inCheckouts(checkout, checkout.createdAt, checkout.reference),
    ...inDueWork(key, dueFamily('payments', checkout.mode), due?.dueAt ?? null, table.dueShards),
    lane: (due?.attempt ?? shownAttempt(checkout)).provider,
  };
};

/** Returns the fields of an item that points to a checkout, without its key. `hashKey`: the stage's secret for hashing e-mail addresses. */
const pointerFields = (hashKey: string, checkout: Checkout) => ({
  reference: checkout.reference,
  ...inCheckoutsOfPayer(checkout, emailHash(hashKey, checkout.payerEmail), checkout.createdAt, checkout.reference),
});

/** Makes the item that reserves the number of a checkout's account. The item leads to the checkout, from the number and from the payer's list. */
export const receivingAccountItem = (hashKey: string, checkout: Checkout) => {
  const { provider, account } = shownAttempt(checkout);
  return {
    ...receivingAccountKey(checkout.mode, provider, account.accountNumber),
    ...pointerFields(hashKey, checkout),
  };
};

/**
 * Makes the item that leads to a checkout, from its account's number and from the payer's list. It reserves nothing: the provider reuses
 * the number.
 */
export const paymentAccountItem = (hashKey: string, checkout: Checkout) => {
  const { provider, account } = shownAttempt(checkout);
  return {
    ...paymentAccountKey(checkout.mode, provider, account.accountNumber, checkout.createdAt, checkout.reference),
    ...pointerFields(hashKey, checkout),
  };
};

/**
 * Makes the item that leads to a checkout from the number of its other account. It is not on the payer's list, because the item of the
 * first account is.
 */
export const anotherAccountItem = (
  { mode, createdAt, reference }: Checkout,
  { provider, account: { accountNumber } }: ShownAttempt,
) => ({
  ...(mode === 'test'
    ? receivingAccountKey(mode, provider, accountNumber)
    : paymentAccountKey(mode, provider, accountNumber, createdAt, reference)),
  reference,
});

/** Makes the item of a checkout that is being opened at its provider. It is due for the sweeper and in no list. */
export const openingCheckoutItem = (table: Table, intent: OpeningCheckout) => {
  const key = checkoutKey(intent.reference);
  const family = dueFamily('payments', intent.mode);
  const { provider: lane } = latestAttempt(intent);
  return { ...intent, ...key, ...inDueWork(key, family, intent.settleAt, table.dueShards), lane };
};
