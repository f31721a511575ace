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

/* Which checkout holds a merchant reference, one item, and which checkouts bear it, an item each. */

const pointer = z.object({ reference: text });

type Named = Pick<
  Checkout | OpeningCheckout,
  'businessId' | 'mode' | 'reference' | 'merchantReference' | 'createdWith' | 'createdAt'
>;

/** The holder's key; undefined for a checkout that holds nothing. */
const findUniqueKey = (checkout: Named): Key | undefined =>
  checkout.merchantReference !== null && isMadeByServer(checkout)
    ? merchantReferenceKey(checkout, checkout.merchantReference)
    : undefined;

/**
 * Takes the merchant reference of a checkout that a server makes: a free one, its own, or that of `former`, if that is still as it
 * was read. The outcome is ReferenceHeld when somebody else holds it.
 */
export const uniqueReferenceWrites = (checkout: Named, former: FormerOwner | null): readonly Write<ReferenceHeld>[] => {
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
 * Gives the merchant reference of a checkout that never opened back to its former holder, or frees it. In the transaction that deletes
 * the opening checkout it needs no condition: until then nobody else can take the reference.
 */
export const giveBackWrites = (checkout: OpeningCheckout): readonly Write<never>[] => {
  const key = findUniqueKey(checkout);
  if (!key) return [];
  return [checkout.formerOwner ? { put: { ...key, reference: checkout.formerOwner.reference } } : { delete: key }];
};

/** What lists a checkout among those that bear its merchant reference. */
export const labelWrites = (checkout: Named): readonly Write<never>[] => {
  const { merchantReference, createdAt: at, reference } = checkout;
  if (merchantReference === null) return [];
  return [
    { put: { ...labelKey(checkout, merchantReference, { isMadeByServer: isMadeByServer(checkout), at, reference }) } },
  ];
};
