import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { accountId } from '#shared/platform/contract/params.ts';
import { requestedProvider } from '#shared/providers/contract/requested-provider.ts';
import { virtualAccountAnswer } from './virtual-account-answer.ts';

const sharedContract = {
  keys: ['secret'],
  testOnly: false,
  params: accountId,
  query: z.object({ provider: z.optional(requestedProvider) }),
  body: null,
  success: { status: 200, body: success(virtualAccountAnswer) },
  errors: ['virtual_account_not_found', 'validation_failed', 'provider_busy', 'provider_error'],
} as const;

/** DELETE /virtual-accounts/{id} (service-description.md section 4.3). */
export const deleteVirtualAccountContract = contract({
  ...sharedContract,
  session: 'developer',
  method: 'DELETE',
  path: '/api/v1/virtual-accounts/{id}',
  summary: 'Deactivate a virtual account. Repeating it is harmless.',
  idempotent: false,
});

/** POST /virtual-accounts/{id}/delete: the same for clients that cannot send DELETE. */
export const postDeleteVirtualAccountContract = contract({
  ...sharedContract,
  method: 'POST',
  path: '/api/v1/virtual-accounts/{id}/delete',
  summary: 'Deactivate a virtual account, for clients that cannot send DELETE.',
  idempotent: true,
});
