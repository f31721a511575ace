import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { checkoutAnswer } from './parts/checkout-answer.ts';
import { pageQuery, successList } from './parts/page.ts';
import { nothing } from './parts/params.ts';
import { text } from './parts/request-fields.ts';

/** GET /checkouts: api.md section 4. */
export const listCheckouts = contract({
  method: 'GET',
  path: '/api/v1/checkouts',
  summary: 'List checkouts, newest first; merchant_reference finds one.',
  keys: ['secret'],
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z.extend(pageQuery, { merchant_reference: z.optional(text(100)) }),
  body: null,
  success: { status: 200, body: successList(checkoutAnswer) },
  refusals: ['validation_failed'],
});
