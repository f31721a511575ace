import { latestAttempt, type ShownAttempt, shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { type Checkout, nextLookUp } from '#shared/checkouts/domain/checkout.ts';
import type { OpeningCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { checkoutKey, inCheckouts, inCheckoutsOfPayer } from '#shared/checkouts/store/keys.ts';
import { dueFamily, inDueWork } from '#shared/platform/table/due-keys.ts';
import { emailHash } from '#shared/platform/table/email-hash.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { paymentAccountKey, receivingAccountKey } from '#shared/virtual-accounts/store/keys.ts';

/** A checkout as an item: on its business's list, and due for the sweeper until it has ended, in the lane of the provider that is asked then. */
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

/** What an item that finds a checkout says of it, beside its key. `hashKey`: the stage's secret for hashing e-mail addresses. */
const finding = (hashKey: string, checkout: Checkout) => ({
  reference: checkout.reference,
  ...inCheckoutsOfPayer(checkout, emailHash(hashKey, checkout.payerEmail), checkout.createdAt, checkout.reference),
});

/** The item that reserves the number of a checkout's account, and finds the checkout by that and by its payer. */
export const receivingAccountItem = (hashKey: string, checkout: Checkout) => {
  const { provider, account } = shownAttempt(checkout);
  return { ...receivingAccountKey(checkout.mode, provider, account.accountNumber), ...finding(hashKey, checkout) };
};

/** The item that finds a checkout by the number of its account and by its payer, where the provider uses the number again. */
export const paymentAccountItem = (hashKey: string, checkout: Checkout) => {
  const { provider, account } = shownAttempt(checkout);
  return {
    ...paymentAccountKey(checkout.mode, provider, account.accountNumber, checkout.createdAt, checkout.reference),
    ...finding(hashKey, checkout),
  };
};

/** The item that finds a checkout by the number of another account. Its payer's list has the checkout by its first one. */
export const anotherAccountItem = (
  { mode, createdAt, reference }: Checkout,
  { provider, account: { accountNumber } }: ShownAttempt,
) => ({
  ...(mode === 'test'
    ? receivingAccountKey(mode, provider, accountNumber)
    : paymentAccountKey(mode, provider, accountNumber, createdAt, reference)),
  reference,
});

/** A checkout whose account is being opened at its provider: due for the sweeper, and in no list. */
export const openingCheckoutItem = (table: Table, intent: OpeningCheckout) => {
  const key = checkoutKey(intent.reference);
  const family = dueFamily('payments', intent.mode);
  const { provider: lane } = latestAttempt(intent);
  return { ...intent, ...key, ...inDueWork(key, family, intent.settleAt, table.dueShards), lane };
};
