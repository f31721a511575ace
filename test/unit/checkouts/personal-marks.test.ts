import type * as z from 'zod/mini';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { openingCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { listParts } from '#shared/erasure/domain/schema-parts.ts';
import { payment } from '#shared/payments/domain/payment.ts';
import { type Personal, personalMarks } from '#shared/platform/kernel/personal.ts';
import { reportedMoney } from '#shared/providers/domain/report.ts';

/** The mark of each field that has one, however deep it stands. */
const marksOf = (schema: z.ZodMiniType, name = ''): [string, Personal][] => {
  const mark = personalMarks.get(schema);
  return mark ? [[name, mark.personal]] : listParts(schema).flatMap(([part, within]) => marksOf(within, part ?? name));
};

const SENDER = { providerReference: 'none', senderName: 'other', senderBank: 'other' };
const ATTEMPT = { reference: 'none', accountName: 'other', bankCode: 'none', bankName: 'none', providerId: 'none' };
const GIVEN = {
  payerEmail: 'address',
  payerName: 'name',
  merchantReference: 'none',
  metadata: 'metadata',
  description: 'free',
  callbackUrl: 'free',
  cancelUrl: 'free',
};

test.each<[string, z.ZodMiniType, object]>([
  ['an open checkout', checkout, { ...GIVEN, ...SENDER, ...ATTEMPT, transaction: 'none' }],
  ['a checkout that is being opened', openingCheckout, { ...GIVEN, ...ATTEMPT }],
  ['a payment', payment, { ...SENDER, merchantReference: 'none' }],
  ['reported money', reportedMoney, SENDER],
])('an erasure replaces what identifies the payer in %s, and keeps what belongs to the books', (_, schema, marks) => {
  const found = marksOf(schema);
  expect(Object.fromEntries(found)).toEqual(marks);
  // A name that stands at two places has the same mark at both.
  expect(new Set(found.map(String)).size).toBe(Object.keys(marks).length);
});
