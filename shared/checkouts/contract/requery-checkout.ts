import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, reference } from '#shared/platform/contract/params.ts';
import { checkoutAnswer } from './checkout-answer.ts';

/** POST /checkouts/{reference}/requery. Repeating it is harmless, so it takes no Idempotency-Key. */
export const requeryCheckoutContract = contract({
  method: 'POST',
  path: '/api/v1/checkouts/{reference}/requery',
  summary: 'Ask the provider now whether money arrived for a checkout.',
  keys: ['secret'],
  session: 'developer',
  testOnly: false,
  idempotent: false,
  params: reference,
  query: nothing,
  body: null,
  success: { status: 200, body: success(checkoutAnswer) },
  errors: ['checkout_not_found', 'provider_busy', 'provider_error'],
});
