import { replyToError } from '#shared/api/http/answer.ts';
import { writeHint } from '#shared/api/http/hints.ts';
import { type NotFoundCode, notFound } from '#shared/platform/kernel/not-found.ts';
import { id } from '#test/unit/api/examples.ts';

const OWN_REFERENCE_MESSAGE =
  'Checkout not found. A checkout reference is PAY- and 20 characters. To find a checkout by your own reference: GET /api/v1/checkouts?merchant_reference=.';

test.each<[NotFoundCode, string, string | undefined]>([
  ['checkout_not_found', 'PAY-7H2KQ9XW4M1ZB8T5RC3N', undefined],
  ['checkout_not_found', 'ORDER-2026-00417', OWN_REFERENCE_MESSAGE],
  ['checkout_not_found', 'PAY-417', OWN_REFERENCE_MESSAGE],
  ['checkout_not_found', '', OWN_REFERENCE_MESSAGE],
  ['checkout_not_found', 'pay_417', OWN_REFERENCE_MESSAGE],
  ['checkout_not_found', 'evt_lagos_marathon_2026', OWN_REFERENCE_MESSAGE],
  [
    'checkout_not_found',
    id('pay'),
    'Checkout not found. An id that begins with pay_ names a payment: GET /api/v1/payments/{id}.',
  ],
  [
    'checkout_not_found',
    id('va'),
    'Checkout not found. An id that begins with va_ names a virtual account: GET /api/v1/virtual-accounts/{id}.',
  ],
  [
    'checkout_not_found',
    id('evt'),
    'Checkout not found. An id that begins with evt_ names an event: GET /api/v1/events/{id}.',
  ],
  ['virtual_account_not_found', id('va'), undefined],
  ['virtual_account_not_found', 'va_mistyped', undefined],
  [
    'virtual_account_not_found',
    '9990000014',
    'Virtual account not found. To find a virtual account by its number: GET /api/v1/virtual-accounts?account_number=.',
  ],
  [
    'virtual_account_not_found',
    'PAY-7H2KQ9XW4M1ZB8T5RC3N',
    'Virtual account not found. An id that begins with PAY- names a checkout: GET /api/v1/checkout/verify/{reference}.',
  ],
  ['payment_not_found', id('pay'), undefined],
  ['event_not_found', 'x', undefined],
])('%s for %j has the right hint: %j', (code, sent, message) => {
  const error = notFound(code, sent);
  expect(error.code).toBe(code);
  if (message === undefined) expect(writeHint(error)).toBeUndefined();
  else expect(replyToError(error, 'request').body).toMatchObject({ code, message });
});
