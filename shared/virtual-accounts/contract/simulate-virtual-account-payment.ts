import * as z from 'zod/mini';
import { recordedPaymentAnswer } from '#shared/payments/contract/recorded-payment-answer.ts';
import { isPlainObject, success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { accountId, nothing } from '#shared/platform/contract/params.ts';
import { MAX_NAIRA, naira, optional, SMALLEST_NAIRA, text } from '#shared/platform/contract/request-fields.ts';

interface Sent {
  readonly outcome?: unknown;
  readonly amount?: unknown;
}

/** POST /virtual-accounts/{id}/sandbox/simulate. */
export const simulateVirtualAccountPaymentContract = contract({
  method: 'POST',
  path: '/api/v1/virtual-accounts/{id}/sandbox/simulate',
  summary: 'Simulate a transfer into a test virtual account.',
  keys: ['secret'],
  session: 'developer',
  recordedFields: ['amount', 'outcome'],
  testOnly: true,
  idempotent: true,
  params: accountId,
  query: nothing,
  body: z.pipe(
    z
      .object({
        /** The outcome of the transfer. Absent: `accepted`. */
        outcome: z.nullish(z.enum(['accepted', 'reversed'], 'must be accepted or reversed.')),
        amount: z.optional(naira(SMALLEST_NAIRA, MAX_NAIRA)),
        sender_name: optional(text(100)),
        sender_bank: optional(text(100)),
      })
      .check(
        z.refine<Sent>(({ outcome, amount }) => outcome === 'reversed' || amount !== undefined, {
          path: ['amount'],
          error: 'must be a number in naira.',
          when: ({ value }) => isPlainObject(value),
        }),
        z.refine<Sent>(({ outcome, amount }) => outcome !== 'reversed' || amount === undefined, {
          path: ['amount'],
          error: 'must be absent with outcome reversed.',
          when: ({ value }) => isPlainObject(value),
        }),
      ),
    z.transform(({ outcome, amount, sender_name: senderName, sender_bank: senderBank }) =>
      outcome === 'reversed' || amount === undefined ? ('reversed' as const) : { amount, senderName, senderBank },
    ),
  ),
  success: { status: 200, body: success(recordedPaymentAnswer) },
  errors: ['virtual_account_not_found', 'virtual_account_inactive', 'nothing_to_reverse'],
});
