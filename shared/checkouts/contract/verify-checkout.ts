import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, reference } from '#shared/platform/contract/params.ts';
import { checkoutAnswer } from './checkout-answer.ts';

/** GET /checkout/verify/{reference} (service-description.md section 4.5). */
export const verifyCheckoutContract = contract({
  method: 'GET',
  path: '/api/v1/checkout/verify/{reference}',
  summary: 'Get the payment status of a checkout.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  ownRateLimit: true,
  idempotent: false,
  params: reference,
  query: nothing,
  body: null,
  success: { status: 200, body: success(checkoutAnswer) },
  errors: ['checkout_not_found'],
});
