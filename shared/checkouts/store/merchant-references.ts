import * as z from 'zod/mini';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { type FormerOwner, isMadeByServer } from '#shared/checkouts/domain/merchant-reference.ts';
import type { OpeningCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { checkoutKey, labelKey, merchantReferenceKey } from '#shared/checkouts/store/keys.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import type { ReferenceHeld } from '#shared/platform/requests/reference-held.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import type { Item } from '#shared/platform/table/table.ts';
import type { Write } from '#shared/platform/table/transact.ts';

/* Items of merchant references: one for the checkout that has the reference as its unique one, and one for each checkout labelled with it. */

const pointer = z.object({ reference: text });

type ReferencedCheckout = Pick<
  Checkout | OpeningCheckout,
  'businessId' | 'mode' | 'reference' | 'merchantReference' | 'createdWith' | 'createdAt'
>;

/**
 * Returns the key that makes a checkout's merchant reference unique; undefined if a browser made the checkout, or if it has no merchant
 * reference.
 */
const findUniqueKey = (checkout: ReferencedCheckout): Key | undefined =>
  checkout.merchantReference !== null && isMadeByServer(checkout)
    ? merchantReferenceKey(checkout, checkout.merchantReference)
    : undefined;

/**
 * Returns the writes by which a checkout made by a server gets its merchant reference as a unique one. They fail with ReferenceHeld:
 * - if the reference belongs to another checkout, which is not `former`;
 * - if `former` has changed since it was read.
 */
export const uniqueReferenceWrites = (
  checkout: ReferencedCheckout,
  former: FormerOwner | null,
): readonly Write<ReferenceHeld>[] => {
  const key = findUniqueKey(checkout);
  if (!key) return [];
  const { reference: own } = checkout;
  const from = former !== null && former.revision !== null ? { ...former, revision: former.revision } : undefined;
  return [
    {
      put: { ...key, reference: own },
      when: {
        expression: 'attribute_not_exists(pk) OR #reference IN (:own, :former)',
        names: { '#reference': 'reference' },
        values: { ':own': own, ':former': from?.reference ?? own },
      },
      otherwise: (existing: Item | undefined) => ({ kind: 'reference_held', by: pointer.parse(existing).reference }),
    },
    ...(from
      ? [
          {
            check: checkoutKey(from.reference),
            when: { expression: 'revision = :revision', values: { ':revision': from.revision } },
            otherwise: (): ReferenceHeld => ({ kind: 'reference_held', by: from.reference }),
          },
        ]
      : []),
  ];
};

/**
 * Returns the writes for a checkout that never opened: its merchant reference goes back to the former owner, or becomes free. These writes
 * need no condition within the transaction that deletes the opening checkout: until then nobody else can take the reference.
 */
export const giveBackWrites = (checkout: OpeningCheckout): readonly Write<never>[] => {
  const key = findUniqueKey(checkout);
  if (!key) return [];
  return [checkout.formerOwner ? { put: { ...key, reference: checkout.formerOwner.reference } } : { delete: key }];
};

/** Returns the writes that list a checkout under its merchant reference. */
export const labelWrites = (checkout: ReferencedCheckout): readonly Write<never>[] => {
  const { merchantReference, createdAt: at, reference } = checkout;
  if (merchantReference === null) return [];
  return [
    { put: { ...labelKey(checkout, merchantReference, { isMadeByServer: isMadeByServer(checkout), at, reference }) } },
  ];
};
