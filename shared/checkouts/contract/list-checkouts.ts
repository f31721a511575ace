import * as z from 'zod/mini';
import { accountNumber } from '#shared/platform/contract/account-number.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { email } from '#shared/platform/contract/email.ts';
import { pageQuery, successList } from '#shared/platform/contract/list.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { inOrder, since } from '#shared/platform/contract/since.ts';
import { checkoutAnswer } from './checkout-answer.ts';
import { merchantReference } from './merchant-reference.ts';

/** GET /checkouts. With a filter, a list page may hold fewer checkouts than `limit`, even none, and another list page may still follow. */
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
  errors: ['validation_failed'],
});
