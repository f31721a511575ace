import * as z from 'zod/mini';
import { accountNumber } from '#shared/contract/kernel/account-number.ts';
import { contract } from '#shared/contract/kernel/contract.ts';
import { email } from '#shared/contract/kernel/email.ts';
import { pageQuery, successList } from '#shared/contract/kernel/page.ts';
import { nothing } from '#shared/contract/kernel/params.ts';
import { inOrder, since } from '#shared/contract/kernel/since.ts';
import { checkoutAnswer } from './checkout-answer.ts';
import { merchantReference } from './merchant-reference.ts';

/** GET /checkouts: api-decisions.md section 4. With a filter, a page may hold fewer than `limit`, even none, and still have a next one. */
export const listCheckoutsContract = contract({
  method: 'GET',
  path: '/api/v1/checkouts',
  summary: 'List checkouts, newest first; by merchant_reference, payer, account number, status or time.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z
    .extend(pageQuery, {
      merchant_reference: z.optional(merchantReference),
      status: z.optional(
        z.enum(checkoutAnswer.shape.status.options, 'must be pending, underpaid, paid, expired or failed.'),
      ),
      payer_email: z.optional(email),
      account_number: z.optional(accountNumber),
      from: z.optional(since),
      to: z.optional(since),
    })
    .check(inOrder('from', 'to')),
  body: null,
  success: { status: 200, body: successList(checkoutAnswer) },
  refusals: ['validation_failed'],
});
