import type * as z from 'zod/mini';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { openingCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { erasedAddress } from '#shared/erasure/domain/personal-fields.ts';
import { listParts } from '#shared/erasure/domain/schema-parts.ts';
import { belongsToPayer } from '#shared/erasure/store/payer-owners.ts';
import { personalMarks } from '#shared/platform/kernel/personal.ts';
import { openingVirtualAccount, virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { id, SHOP } from '#test/unit/api/examples.ts';

const ADDRESS = 'tunde.bakare@example.com';
const payer = { businessId: SHOP, addresses: [ADDRESS], replacement: erasedAddress(id('pay')), also: [] };

/** Lists the names of the fields that a schema marks as an address. */
const addressesIn = (schema: z.ZodMiniType, name = ''): string[] => {
  const kind = personalMarks.get(schema)?.personal;
  if (kind) return kind === 'address' ? [name] : [];
  return listParts(schema).flatMap(([part, within]) => addressesIn(within, part ?? name));
};

describe.each(Object.entries({ checkout, openingCheckout, virtualAccount, openingVirtualAccount }))(
  'an item of the form %s',
  (_, schema) => {
    const names = [...new Set(addressesIn(schema))];

    test('belongs to the payer by each field that is marked as an address, in capitals or not', () => {
      expect(names).not.toEqual([]);
      const matches = names.filter((name) =>
        belongsToPayer(payer, { businessId: SHOP, [name]: ADDRESS.toUpperCase() }),
      );
      expect(matches).toEqual(names);
    });

    test('does not belong to the payer at another business, with another address, or without one', () => {
      for (const name of names) {
        expect(belongsToPayer(payer, { businessId: 'biz_another', [name]: ADDRESS })).toBe(false);
        expect(belongsToPayer(payer, { businessId: SHOP, [name]: 'other@example.com' })).toBe(false);
        expect(belongsToPayer(payer, { businessId: SHOP, [name]: null })).toBe(false);
      }
    });
  },
);

test('a missing item belongs to nobody', () => expect(belongsToPayer(payer, undefined)).toBe(false));
