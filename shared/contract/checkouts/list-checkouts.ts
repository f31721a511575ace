import * as z from 'zod/mini';
import { contract } from '#shared/contract/kernel/contract.ts';
import { pageQuery, successList } from '#shared/contract/kernel/page.ts';
import { nothing } from '#shared/contract/kernel/params.ts';
import { text } from '#shared/contract/kernel/request-fields.ts';
import { checkoutAnswer } from './checkout-answer.ts';

/** GET /checkouts: api-decisions.md section 4. */
export const listCheckoutsContract = contract({
  method: 'GET',
  path: '/api/v1/checkouts',
  summary: 'List checkouts, newest first; merchant_reference finds those that bear it.',
  keys: ['secret'],
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z.extend(pageQuery, { merchant_reference: z.optional(text(100)) }),
  body: null,
  success: { status: 200, body: successList(checkoutAnswer) },
  refusals: ['validation_failed'],
});
