import * as z from 'zod/mini';
import { success } from '#shared/contract/kernel/answer-fields.ts';
import { contract } from '#shared/contract/kernel/contract.ts';
import { accountId, nothing } from '#shared/contract/kernel/params.ts';
import { MAX_NAIRA, naira, optional, SMALLEST_NAIRA, text } from '#shared/contract/kernel/request-fields.ts';
import { paymentAnswer } from '#shared/contract/money/payment-answer.ts';

/** POST /virtual-accounts/{id}/sandbox/simulate: api-decisions.md section 4. */
export const simulateVirtualAccountPaymentContract = contract({
  method: 'POST',
  path: '/api/v1/virtual-accounts/{id}/sandbox/simulate',
  summary: 'Simulate a transfer into a test virtual account.',
  keys: ['secret'],
  testOnly: true,
  idempotent: true,
  params: accountId,
  query: nothing,
  body: z.object({
    amount: naira(SMALLEST_NAIRA, MAX_NAIRA),
    sender_name: optional(text(100)),
    sender_bank: optional(text(100)),
  }),
  success: { status: 200, body: success(paymentAnswer) },
  refusals: ['virtual_account_not_found', 'virtual_account_inactive'],
});
