import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { email } from './parts/customer-fields.ts';
import { pageQuery, successList } from './parts/page.ts';
import { nothing } from './parts/params.ts';
import { virtualAccountAnswer } from './parts/virtual-account-answer.ts';

/** GET /virtual-accounts: service description 4.1. */
export const listVirtualAccounts = contract({
  method: 'GET',
  path: '/api/v1/virtual-accounts',
  summary: 'List virtual accounts, newest first; customer_email narrows the list to one customer.',
  keys: ['secret'],
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z.extend(pageQuery, { customer_email: z.optional(email) }),
  body: null,
  success: { status: 200, body: successList(virtualAccountAnswer) },
  refusals: ['validation_failed'],
});
