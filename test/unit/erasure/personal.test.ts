import * as z from 'zod/mini';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { openingCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { makeEraser } from '#shared/erasure/domain/personal-fields.ts';
import { listParts } from '#shared/erasure/domain/schema-parts.ts';
import { payment } from '#shared/payments/domain/payment.ts';
import { unmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { personal, personalMarks } from '#shared/platform/kernel/personal.ts';
import { text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { openingVirtualAccount, virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';

/** Lists the fields of free text that have no mark. */
const listUnmarked = (schema: z.ZodMiniType, name = ''): string[] => {
  if (personalMarks.has(schema)) return [];
  if (schema instanceof z.ZodMiniString) return (schema.def.checks ?? []).length === 0 ? [name] : [];
  return listParts(schema).flatMap(([part, within]) => listUnmarked(within, part ?? name));
};

test.each(
  Object.entries({ checkout, openingCheckout, virtualAccount, openingVirtualAccount, payment, unmatchedPayment }),
)('every stored free text of %s is marked as personal or not', (_, schema) => {
  expect(listUnmarked(schema)).toEqual([]);
});

test('an unmarked text is found at any depth', () => {
  const within = z.object({ list: z.array(z.nullable(z.object({ remark: z.optional(textOrNull) }))) });
  expect(listUnmarked(z.discriminatedUnion('kind', [z.extend(within, { kind: z.literal('a') })]))).toEqual(['remark']);
});

test('a field that is marked as personal is erased in stored objects and in answers', () => {
  const schema = z.object({ mail: personal('address', text), favouriteFood: personal('other', textOrNull) });
  const payer = { businessId: 'biz_1', addresses: ['a@b.example'], replacement: 'x@erased.invalid', also: [] };
  const { shows, erase } = makeEraser(schema);
  expect(erase(payer, { mail: 'a@b.example', favouriteFood: 'Jollof' })).toEqual({
    mail: 'x@erased.invalid',
    favouriteFood: null,
  });
  expect(erase(payer, { data: [{ favourite_food: 'Jollof', other: 1 }] })).toEqual({
    data: [{ favourite_food: null, other: 1 }],
  });
  expect(shows(payer, { data: { mail: 'A@B.example' } })).toBe(true);
});

test('one name with two marks is an error', () => {
  const mail = z.object({ mail: personal('address', text) });
  expect(() => makeEraser(mail, z.object({ mail: personal('none', text) }))).toThrow('mail is marked in two ways');
});
