import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, reference } from '#shared/platform/contract/params.ts';
import { checkoutAnswer } from './checkout-answer.ts';

/** POST /checkouts/{reference}/another-account. */
export const openAnotherAccountContract = contract({
  method: 'POST',
  path: '/api/v1/checkouts/{reference}/another-account',
  summary: 'Open another account for a checkout, at another provider.',
  keys: ['secret'],
  session: 'developer',
  testOnly: false,
  idempotent: true,
  params: reference,
  query: nothing,
  body: null,
  success: { status: 200, body: success(checkoutAnswer) },
  errors: ['checkout_not_found', 'checkout_not_payable', 'no_other_provider', 'provider_busy'],
});
