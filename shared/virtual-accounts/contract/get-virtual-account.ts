import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { accountId, nothing } from '#shared/platform/contract/params.ts';
import { virtualAccountAnswer } from './virtual-account-answer.ts';

/** GET /virtual-accounts/{id}. */
export const getVirtualAccountContract = contract({
  method: 'GET',
  path: '/api/v1/virtual-accounts/{id}',
  summary: 'Get one virtual account.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: accountId,
  query: nothing,
  body: null,
  success: { status: 200, body: success(virtualAccountAnswer) },
  errors: ['virtual_account_not_found'],
});
