import * as z from 'zod/mini';
import { accountNumber } from '#shared/platform/contract/account-number.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { email } from '#shared/platform/contract/email.ts';
import { pageQuery, successList } from '#shared/platform/contract/list.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { virtualAccountAnswer } from './virtual-account-answer.ts';

/** GET /virtual-accounts (service-description.md section 4.1). */
export const listVirtualAccountsContract = contract({
  method: 'GET',
  path: '/api/v1/virtual-accounts',
  summary:
    'List virtual accounts, newest first; customer_email narrows the list to one customer, account_number to the account that has it.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z.extend(pageQuery, { customer_email: z.optional(email), account_number: z.optional(accountNumber) }),
  body: null,
  success: { status: 200, body: successList(virtualAccountAnswer) },
  errors: ['validation_failed'],
});
