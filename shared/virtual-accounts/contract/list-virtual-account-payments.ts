import { recordedPaymentAnswer } from '#shared/payments/contract/recorded-payment-answer.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { pageQuery, successList } from '#shared/platform/contract/list.ts';
import { accountId } from '#shared/platform/contract/params.ts';

/** GET /virtual-accounts/{id}/payments. */
export const listVirtualAccountPaymentsContract = contract({
  method: 'GET',
  path: '/api/v1/virtual-accounts/{id}/payments',
  summary: 'List the payments that landed on a virtual account, newest first.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: accountId,
  query: pageQuery,
  body: null,
  success: { status: 200, body: successList(recordedPaymentAnswer) },
  errors: ['virtual_account_not_found', 'validation_failed'],
});
