import { contract } from './contract.ts';
import { success } from './parts/answer-fields.ts';
import { accountId, nothing } from './parts/params.ts';
import { virtualAccountAnswer } from './parts/virtual-account-answer.ts';

/** GET /virtual-accounts/{id}: api.md section 3. */
export const getVirtualAccount = contract({
  method: 'GET',
  path: '/api/v1/virtual-accounts/{id}',
  summary: 'Get one virtual account.',
  keys: ['secret'],
  testOnly: false,
  idempotent: false,
  params: accountId,
  query: nothing,
  body: null,
  success: { status: 200, body: success(virtualAccountAnswer) },
  refusals: ['virtual_account_not_found'],
});
