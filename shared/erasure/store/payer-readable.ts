import * as z from 'zod/mini';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import type { ErasedPayer } from '#shared/erasure/domain/personal-fields.ts';
import { notification } from '#shared/payments/domain/notification.ts';
import { payment } from '#shared/payments/domain/payment.ts';
import { unmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { keyRecord } from '#shared/platform/table/answers.ts';
import { readEach } from '#shared/platform/table/readable.ts';
import { type Item, type Table, toIndexedKey } from '#shared/platform/table/table.ts';
import { virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { event } from '#shared/webhooks/domain/event.ts';
import { personalKind } from './keys.ts';

/** The schemas of each kind of item that may identify a payer. */
const FORMS = {
  checkout,
  virtual_account: virtualAccount,
  payment: z.union([payment, unmatchedPayment]),
  event,
  answer: keyRecord,
  notification,
} as const;

const isReadable = (table: Table, item: Item): boolean => {
  const kind = personalKind(toIndexedKey(item));
  // An object that is being opened is left as it is, whatever its form.
  if (kind === undefined || kind === 'pointer' || item.status === 'opening') return true;
  return readEach<z.ZodMiniType>(table, FORMS[kind], [item])[0] !== undefined;
};

/**
 * Splits a page into readable items, and the number of unreadable items that may be the payer's. An erasure continues without unreadable
 * items, and reports their number.
 */
export const splitReadable = (table: Table, { businessId }: ErasedPayer, items: readonly Item[]) => {
  const readable = items.filter((item) => isReadable(table, item));
  const others = items.filter((item) => !readable.includes(item));
  const unreadable = others.filter((item) => item.businessId === undefined || item.businessId === businessId).length;
  return { readable, unreadable };
};
