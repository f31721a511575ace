import type * as z from 'zod/mini';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { openingCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import { listParts } from '#shared/erasure/domain/schema-parts.ts';
import { payment } from '#shared/payments/domain/payment.ts';
import { type Personal, personalMarks } from '#shared/platform/kernel/personal.ts';
import { reportedMoney } from '#shared/providers/domain/report.ts';

/** Lists the mark of each marked field, at any depth. */
const listMarks = (schema: z.ZodMiniType, name = ''): [string, Personal][] => {
  const mark = personalMarks.get(schema);
  return mark
    ? [[name, mark.personal]]
    : listParts(schema).flatMap(([part, within]) => listMarks(within, part ?? name));
};

const SENDER = { providerReference: 'none', senderName: 'other', senderBank: 'other' };
const ATTEMPT = { reference: 'none', accountName: 'other', bankCode: 'none', bankName: 'none', providerId: 'none' };
const MERCHANT_FIELDS = {
  payerEmail: 'address',
  payerName: 'name',
  merchantReference: 'none',
  metadata: 'metadata',
  description: 'free',
  callbackUrl: 'free',
  cancelUrl: 'free',
};

test.each<[string, z.ZodMiniType, object]>([
  ['an open checkout', checkout, { ...MERCHANT_FIELDS, ...SENDER, ...ATTEMPT, transaction: 'none' }],
  ['a checkout that is being opened', openingCheckout, { ...MERCHANT_FIELDS, ...ATTEMPT }],
  ['a payment', payment, { ...SENDER, merchantReference: 'none' }],
  ['reported money', reportedMoney, SENDER],
])(
  'an erasure replaces the fields that identify the payer in %s, and keeps the fields of the books',
  (_, schema, marks) => {
    const markedFields = listMarks(schema);
    expect(Object.fromEntries(markedFields)).toEqual(marks);
    // A field name that occurs twice has the same mark at both places.
    expect(new Set(markedFields.map(String)).size).toBe(Object.keys(marks).length);
  },
);
