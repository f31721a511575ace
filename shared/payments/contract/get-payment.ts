import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, paymentId } from '#shared/platform/contract/params.ts';
import { recordedPaymentAnswer } from './recorded-payment-answer.ts';

export const getPaymentContract = contract({
  method: 'GET',
  path: '/api/v1/payments/{id}',
  summary: 'Get one payment, and the checkout or the virtual account that it is on.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: paymentId,
  query: nothing,
  body: null,
  success: { status: 200, body: success(recordedPaymentAnswer) },
  errors: ['payment_not_found'],
});
