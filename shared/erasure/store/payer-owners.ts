import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { openingCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { checkoutKey } from '#shared/checkouts/store/keys.ts';
import { type ErasedPayer, makeEraser } from '#shared/erasure/domain/personal-fields.ts';
import { notification } from '#shared/payments/domain/notification.ts';
import { getOwnerId, payment } from '#shared/payments/domain/payment.ts';
import { storedAnswer } from '#shared/platform/table/answers.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { getItems, type Item, type Table, toIndexedKey } from '#shared/platform/table/table.ts';
import { openingVirtualAccount, virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { virtualAccountKey } from '#shared/virtual-accounts/store/keys.ts';
import { parseAddressPointer, personalKind } from './keys.ts';
import { showsPayer } from './payer-bodies.ts';

/*
 * Finds the owners of payments, stored answers, notifications and pointers. An owner is a checkout or a virtual account that such an item names.
 * The address on the owner shows whether the item is the payer's.
 */

/** References of checkouts and ids of virtual accounts, in upper or lower case, because some providers get them within an e-mail address. */
const REFERENCE = /PAY-[0-9A-Z]{20}|va_[0-7][0-9A-HJKMNP-TV-Z]{25}/gi;

const toOwnerKey = (name: string): Key =>
  name.toUpperCase().startsWith('PAY-')
    ? checkoutKey(name.toUpperCase())
    : virtualAccountKey(`va_${name.slice('va_'.length).toUpperCase()}`);

const findOwnerKeys = (text: string): Key[] => (text.match(REFERENCE) ?? []).map(toOwnerKey);

/**
 * Finds the checkouts and virtual accounts that an item names. Returns none if the item cannot belong to the payer. It also returns none for a
 * checkout, a virtual account or an event: these show the payer themselves, so no owner is needed.
 */
export const findNamedOwners = (payer: ErasedPayer, item: Item): readonly Key[] => {
  switch (personalKind(toIndexedKey(item))) {
    case 'pointer': {
      const pointer = parseAddressPointer(toIndexedKey(item));
      return pointer?.businessId === payer.businessId ? [pointer.to] : [];
    }
    case 'payment': {
      const record = payment.safeParse(item).data;
      return record?.businessId === payer.businessId ? findOwnerKeys(getOwnerId(record.owner)) : [];
    }
    case 'answer': {
      const record = storedAnswer.safeParse(item).data;
      return record && showsPayer(payer, record.body) ? findOwnerKeys(record.body) : [];
    }
    case 'notification': {
      const record = notification.safeParse(item).data;
      return record ? findOwnerKeys(Buffer.from(record.raw, 'base64').toString('utf8')) : [];
    }
    default:
      return [];
  }
};

const { shows } = makeEraser(checkout, openingCheckout, virtualAccount, openingVirtualAccount);

/**
 * Checks whether a checkout or a virtual account belongs to the payer: it is of the same business, and one of its fields that are marked as
 * addresses contains the payer's address. Its state does not matter.
 */
export const belongsToPayer = (payer: ErasedPayer, item: Item | undefined): boolean =>
  item?.businessId === payer.businessId && shows(payer, item);

/** Finds which items are the payer's, by the checkouts and virtual accounts that they name. It reads these in one round. */
export const readOwners = async (
  table: Table,
  payer: ErasedPayer,
  items: readonly Item[],
): Promise<(item: Item) => boolean> => {
  const ownerKeys = new Map(items.map((item) => [item, findNamedOwners(payer, item)]));
  const keys = [...ownerKeys.values()].flat();
  const owners = keys.length === 0 ? [] : await getItems(table, keys);
  const payersKeys = new Set(keys.filter((_, i) => belongsToPayer(payer, owners[i])).map(({ pk }) => pk));
  return (item) => (ownerKeys.get(item) ?? []).some(({ pk }) => payersKeys.has(pk));
};
