import * as z from 'zod/mini';
import { isPlainObject, success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, pathId } from '#shared/platform/contract/params.ts';
import { MAX_NAIRA, naira, optional, SMALLEST_NAIRA, text } from '#shared/platform/contract/request-fields.ts';
import { checkoutAnswer } from './checkout-answer.ts';

interface Sent {
  readonly status?: unknown;
  readonly outcome?: unknown;
  readonly amount?: unknown;
  readonly late?: unknown;
  readonly account_number?: unknown;
}

/** Makes a check that rejects `field` if `isConflict` returns true. `other` ends the message, such as `status failed`. */
const onlyWithout = (field: keyof Sent, isConflict: (sent: Sent) => boolean, other: string) =>
  z.refine<Sent>((sent) => !isConflict(sent), {
    path: [field],
    error: `must be absent with ${other}.`,
    // Runs even if single fields are wrong, so that one answer reports all errors.
    when: ({ value }) => isPlainObject(value),
  });

/** POST /checkout/sandbox/simulate (service-description.md section 4.6). */
export const simulateCheckoutPaymentContract = contract({
  method: 'POST',
  path: '/api/v1/checkout/sandbox/simulate',
  summary: 'Simulate the payment of a test checkout, or its failure.',
  keys: ['secret'],
  session: 'developer',
  recordedFields: ['reference', 'amount', 'status', 'outcome', 'late'],
  testOnly: true,
  idempotent: true,
  params: nothing,
  query: nothing,
  body: z
    .object({
      reference: z.pipe(
        z.string('must be a checkout reference.').check(z.maxLength(64, 'must be a checkout reference.')),
        pathId,
      ),
      status: z.pipe(
        z.nullish(z.enum(['success', 'failed'], 'must be success or failed.')),
        z.transform((status) => status ?? 'success'),
      ),
      /** The outcome of the transfer. Absent: `accepted`. */
      outcome: z.nullish(z.enum(['accepted', 'rejected', 'reversed'], 'must be accepted, rejected or reversed.')),
      /** Naira. Absent: the amount that is still due. */
      amount: z.optional(naira(SMALLEST_NAIRA, MAX_NAIRA)),
      late: z.pipe(
        z.nullish(z.boolean('must be true or false.')),
        z.transform((late) => late ?? false),
      ),
      sender_name: optional(text(100)),
      sender_bank: optional(text(100)),
      /** The checkout's account that receives the transfer. Absent: the account that the payer sees now. */
      account_number: z.optional(
        z
          .string('must be an account number of ten digits.')
          .check(z.regex(/^\d{10}$/, 'must be an account number of ten digits.')),
      ),
    })
    .check(
      ...(['outcome', 'amount', 'late', 'account_number'] as const).map((field) =>
        onlyWithout(field, ({ status, [field]: value }) => status === 'failed' && Boolean(value), 'status failed'),
      ),
      ...(['amount', 'late', 'account_number'] as const).map((field) =>
        onlyWithout(
          field,
          // `status: failed` already rejects these fields: report one reason only.
          ({ status, outcome, [field]: value }) => status !== 'failed' && outcome === 'reversed' && Boolean(value),
          'outcome reversed',
        ),
      ),
    ),
  success: { status: 200, body: success(checkoutAnswer) },
  errors: ['checkout_not_found', 'checkout_not_payable', 'nothing_to_reverse'],
});
