import { checkoutOfPointer } from '#shared/checkouts/store/keys.ts';
import { type Key, single } from '#shared/platform/table/keys.ts';
import { accountOfPointer, virtualAccountKey } from '#shared/virtual-accounts/store/keys.ts';

/** How far the erasure of a payer has come; the digest says whose. */
export const erasureKey = (businessId: string, digest: string): Key => single('ERASE', businessId, digest);

/** The attributes that tell the owner of an item: its key, and its place on gsi1 if it has one. */
type Located = Key & { readonly gsi1pk?: unknown; readonly gsi1sk?: unknown };

/** The business of an item that is found by the hash of an address, and what that leads to; undefined for any other item. */
export const addressPointerOf = (item: Located): { readonly businessId: string; readonly to: Key } | undefined => {
  const [, customersOf] = /^CUST#([^#]+)#/.exec(item.pk) ?? [];
  if (customersOf !== undefined) return { businessId: customersOf, to: virtualAccountKey(accountOfPointer(item)) };
  const [, payersOf] = /^PAYER#([^#]+)#/.exec(String(item.gsi1pk)) ?? [];
  return payersOf === undefined
    ? undefined
    : { businessId: payersOf, to: checkoutOfPointer({ sk: String(item.gsi1sk) }) };
};

/** The kinds of items that may identify a payer, by their sort keys. */
const PERSONAL = {
  CHK: 'checkout',
  VA: 'virtual_account',
  PAY: 'payment',
  EVT: 'event',
  IDEM: 'answer',
  NTF: 'notification',
} as const;

/** The kind of an item that may identify a payer; undefined for any other item. */
export const personalKind = (item: Located): 'pointer' | (typeof PERSONAL)[keyof typeof PERSONAL] | undefined =>
  addressPointerOf(item)
    ? 'pointer'
    : (PERSONAL as Partial<Record<string, (typeof PERSONAL)[keyof typeof PERSONAL]>>)[item.sk];
