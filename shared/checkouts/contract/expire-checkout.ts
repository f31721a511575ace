import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, reference } from '#shared/platform/contract/params.ts';
import { checkoutAnswer } from './checkout-answer.ts';

/** POST /checkouts/{reference}/expire. */
export const expireCheckoutContract = contract({
  method: 'POST',
  path: '/api/v1/checkouts/{reference}/expire',
  summary: 'Expire a checkout that has received no money, before its expiry time.',
  keys: ['secret'],
  session: 'developer',
  testOnly: false,
  idempotent: true,
  params: reference,
  query: nothing,
  body: null,
  success: { status: 200, body: success(checkoutAnswer) },
  errors: ['checkout_not_found', 'checkout_not_payable', 'provider_busy', 'provider_error'],
});
