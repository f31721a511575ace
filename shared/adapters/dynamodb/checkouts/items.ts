import { emailHash } from '#shared/adapters/dynamodb/table/email-hash.ts';
import {
  checkoutKey,
  dueFamily,
  inCheckouts,
  inDueWork,
  payersCheckoutKey,
  paymentAccountKey,
} from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { type Checkout, expiryDue } from '#shared/domain/checkouts/checkout.ts';
import type { OpeningCheckout } from '#shared/domain/checkouts/opening-checkout.ts';
import { DAY, unixSeconds } from '#shared/domain/kernel/time.ts';

/** A checkout as an item: on its business's list, and due for the sweeper until it has ended. */
export const checkoutItem = (table: Table, checkout: Checkout) => {
  const key = checkoutKey(checkout.reference);
  return {
    ...checkout,
    ...key,
    ...inCheckouts(checkout, checkout.createdAt, checkout.reference),
    ...inDueWork(key, dueFamily('payments', checkout.mode), expiryDue(checkout), table.dueShards),
  };
};

/** As long as events are kept. */
const PAYMENT_ACCOUNT_RETENTION = 90 * DAY;

/** The item that finds a live checkout by the number of its account. */
export const paymentAccountItem = ({ provider, account, createdAt, reference }: Checkout) => ({
  ...paymentAccountKey(provider, account.accountNumber, createdAt, reference),
  reference,
  ttl: unixSeconds(createdAt + PAYMENT_ACCOUNT_RETENTION),
});

/** The item that lists a checkout among those of its payer. */
export const payersCheckoutItem = (hashKey: string, of: Checkout) => ({
  ...payersCheckoutKey(of, emailHash(hashKey, of.payerEmail), of.createdAt, of.reference),
});

/** A checkout whose account is being opened at its provider: due for the sweeper, and in no list. */
export const openingCheckoutItem = (table: Table, intent: OpeningCheckout) => {
  const key = checkoutKey(intent.reference);
  const family = dueFamily('payments', intent.mode);
  return { ...intent, ...key, ...inDueWork(key, family, intent.settleAt, table.dueShards) };
};
