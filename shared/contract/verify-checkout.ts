import { contract } from './contract.ts';
import { success } from './parts/answer-fields.ts';
import { checkoutAnswer } from './parts/checkout-answer.ts';
import { nothing, reference } from './parts/params.ts';

/** GET /checkout/verify/{reference}: service description 4.5. */
export const verifyCheckout = contract({
  method: 'GET',
  path: '/api/v1/checkout/verify/{reference}',
  summary: 'Get the payment status of a checkout.',
  keys: ['secret'],
  testOnly: false,
  ownAllowance: true,
  idempotent: false,
  params: reference,
  query: nothing,
  body: null,
  success: { status: 200, body: success(checkoutAnswer) },
  refusals: ['checkout_not_found'],
});
