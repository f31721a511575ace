import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ErasedCounts, ErasedPage } from '#shared/erasure/domain/erasure.ts';
import type { ErasedPayer } from '#shared/erasure/domain/personal-fields.ts';
import type { PayerRecords } from '#shared/erasure/ports.ts';
import { notification } from '#shared/payments/domain/notification.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { getItem, type Item, type Table, toIndexedKey, toKey } from '#shared/platform/table/table.ts';
import { event } from '#shared/webhooks/domain/event.ts';
import { personalKind } from './keys.ts';
import { showsPayer } from './payer-bodies.ts';
import {
  dropPointer,
  eraseAnswer,
  eraseCheckout,
  eraseEvent,
  eraseNotification,
  erasePayment,
  eraseVirtualAccount,
} from './payer-erasers.ts';
import { belongsToPayer, readOwners } from './payer-owners.ts';
import { splitReadable } from './payer-readable.ts';

/**
 * Maximum number of tries to erase one item. After a conflict with another writer, the item is read again. After the last conflict, the
 * page is given up.
 */
const MAX_ATTEMPTS = 10;

/** The way to erase an item of the payer and to count it; or the reason to leave it. */
type Plan =
  | { readonly erase: typeof eraseCheckout; readonly as: keyof ErasedCounts | null; readonly openAccount?: string }
  | { readonly left: keyof ErasedPage['left'] };

const accountFields = z.object({ id: z.optional(z.string()), status: z.string() });
/** States of a virtual account that the provider must still be asked about. The question needs the customer's name and address, so they are not erased yet. */
const UNSETTLED = ['opening', 'pending'];

/**
 * Plans what to do with an item; undefined if it is not the payer's. `isNamed`: whether the item names a checkout or virtual account of the
 * payer.
 */
const planFor = (payer: ErasedPayer, item: Item, isNamed: boolean): Plan | undefined => {
  switch (personalKind(toIndexedKey(item))) {
    case 'checkout':
      if (!belongsToPayer(payer, item)) return undefined;
      return item.status === 'opening' ? { left: 'opening' } : { erase: eraseCheckout, as: 'checkouts' };
    case 'virtual_account': {
      if (!belongsToPayer(payer, item)) return undefined;
      const { id, status } = accountFields.parse(item);
      if (UNSETTLED.includes(status)) return { left: 'opening' };
      const openAccount = status === 'active' ? id : undefined;
      return { erase: eraseVirtualAccount, as: 'virtualAccounts', ...(openAccount !== undefined && { openAccount }) };
    }
    case 'event': {
      const { businessId, body } = event.parse(item);
      const isTheirs = businessId === payer.businessId && showsPayer(payer, body);
      return isTheirs ? { erase: eraseEvent, as: 'events' } : undefined;
    }
    case 'payment':
      return isNamed ? { erase: erasePayment, as: 'payments' } : undefined;
    case 'answer':
      return isNamed ? { erase: eraseAnswer, as: 'answers' } : undefined;
    case 'pointer':
      return isNamed ? { erase: dropPointer, as: null } : undefined;
    case 'notification': {
      if (!isNamed) return undefined;
      // Until the notification is settled, the sweep or an operator still needs its text.
      const { dueAt, stuckSince } = notification.parse(item);
      const isSettled = dueAt === null && stuckSince === null;
      return isSettled ? { erase: eraseNotification, as: 'notifications' } : { left: 'unsettledNotifications' };
    }
    default:
      return undefined;
  }
};

/** Erases an item, and reads it again after each conflict. An item that is gone by then needs nothing. */
const eraseUntilDone = async (table: Table, payer: ErasedPayer, item: Item, erase: typeof eraseCheckout) => {
  let current: Item | undefined = item;
  for (let attempts = 0; current; attempts++) {
    if (attempts === MAX_ATTEMPTS) throw new DependencyUnavailable('Other requests kept changing an item to erase.');
    if (await erase(table, payer, current)) return;
    current = await getItem(table, toKey(item));
  }
};

const position = z.object({ pk: z.string(), sk: z.string() });

const scan = async (table: Table, after: string | null, limit: number) => {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      Limit: limit,
      ExclusiveStartKey: after === null ? undefined : position.parse(JSON.parse(after)),
    }),
  );
  return { items: Items, next: LastEvaluatedKey ? JSON.stringify(position.parse(LastEvaluatedKey)) : null };
};

/**
 * Scans the whole table, for the operations command alone: no function may scan it. The keys of stored answers and notifications are
 * hashes, so these items cannot be found in any other way.
 */
export const payerRecords = (table: Table): PayerRecords => ({
  erasePage: async (payer, after, limit) => {
    const { items, next } = await scan(table, after, limit);
    const { readable, unreadable } = splitReadable(table, payer, items);
    const isNamed = await readOwners(table, payer, readable);
    const done: ErasedCounts = {
      checkouts: 0,
      virtualAccounts: 0,
      payments: 0,
      events: 0,
      answers: 0,
      notifications: 0,
    };
    const left = { opening: 0, unsettledNotifications: 0, unreadable };
    const openAccounts: string[] = [];
    for (const item of readable) {
      const plan = planFor(payer, item, isNamed(item));
      if (!plan) continue;
      if ('left' in plan) left[plan.left] += 1;
      else {
        await eraseUntilDone(table, payer, item, plan.erase);
        if (plan.as !== null) done[plan.as] += 1;
        if (plan.openAccount !== undefined) openAccounts.push(plan.openAccount);
      }
    }
    return { read: items.length, next, erased: done, left, openAccounts };
  },
});
