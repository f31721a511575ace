import { checkoutOfPointer } from '#shared/checkouts/store/keys.ts';
import { type Key, makeKey } from '#shared/platform/table/keys.ts';
import { accountOfPointer, virtualAccountKey } from '#shared/virtual-accounts/store/keys.ts';

/** The key of the progress of a payer's erasure. The digest identifies the payer. */
export const erasureKey = (businessId: string, digest: string): Key => makeKey('ERASE', businessId, digest);

/** The attributes that identify the owner of an item: its key, and its place on gsi1 if it has one. */
type ItemLocation = Key & { readonly gsi1pk?: unknown; readonly gsi1sk?: unknown };

/**
 * Reads a pointer: an item that is found by the hash of an e-mail address. It leads from a customer to a virtual account, or from a payer to a
 * checkout. Returns the business, and the key of that account or checkout. Undefined for any other item.
 */
export const parseAddressPointer = (
  item: ItemLocation,
): { readonly businessId: string; readonly to: Key } | undefined => {
  const [, customerBusiness] = /^CUST#([^#]+)#/.exec(item.pk) ?? [];
  if (customerBusiness !== undefined)
    return { businessId: customerBusiness, to: virtualAccountKey(accountOfPointer(item)) };
  const [, payerBusiness] = /^PAYER#([^#]+)#/.exec(String(item.gsi1pk)) ?? [];
  return payerBusiness === undefined
    ? undefined
    : { businessId: payerBusiness, to: checkoutOfPointer({ sk: String(item.gsi1sk) }) };
};

/** The kinds of items that may identify a payer, by sort key. */
const PERSONAL = {
  CHK: 'checkout',
  VA: 'virtual_account',
  PAY: 'payment',
  EVT: 'event',
  IDEM: 'answer',
  NTF: 'notification',
} as const;

/** Returns the kind of an item that may identify a payer; undefined for any other item. */
export const personalKind = (item: ItemLocation): 'pointer' | (typeof PERSONAL)[keyof typeof PERSONAL] | undefined =>
  parseAddressPointer(item)
    ? 'pointer'
    : (PERSONAL as Partial<Record<string, (typeof PERSONAL)[keyof typeof PERSONAL]>>)[item.sk];
