import {
  BUSINESS_ID,
  checkoutWithRejectedPayment,
  checkoutWithReversedPayment,
  disabledEndpoint,
  expiredCheckout,
  failedAccount,
  failedCheckout,
  overpaidCheckout,
  paidCheckout,
  removeLinks,
  transfer,
  underpaidCheckout,
  virtualAccount,
} from './objects.ts';

const accountPayment = { payment: transfer, virtual_account: virtualAccount };

/** The time and the `data` of the example of each event type. */
const EXAMPLES: Readonly<Record<string, readonly [at: string, data: unknown]>> = {
  'checkout.paid': ['2026-11-20T13:52:08.004000Z', removeLinks(paidCheckout)],
  'checkout.overpaid': ['2026-11-20T13:54:47.318000Z', removeLinks(overpaidCheckout)],
  'checkout.underpaid': ['2026-11-20T13:52:08.004000Z', removeLinks(underpaidCheckout)],
  'checkout.payment_rejected': ['2026-11-20T13:52:08.004000Z', removeLinks(checkoutWithRejectedPayment)],
  'checkout.payment_reversed': ['2026-11-20T15:20:31.770000Z', removeLinks(checkoutWithReversedPayment)],
  'checkout.failed': ['2026-11-20T13:58:19.655000Z', removeLinks(failedCheckout)],
  'checkout.expired': ['2026-11-20T14:20:43.120000Z', removeLinks(expiredCheckout)],
  'virtual_account.payment_received': ['2026-11-20T13:59:57.446000Z', accountPayment],
  'virtual_account.payment_reversed': [
    '2026-11-20T17:31:02.090000Z',
    { ...accountPayment, payment: { ...transfer, outcome: 'reversed' } },
  ],
  'virtual_account.activated': ['2026-11-20T13:51:03.518000Z', virtualAccount],
  'virtual_account.failed': ['2026-11-20T13:51:03.518000Z', failedAccount],
  'endpoint.disabled': ['2026-11-20T18:40:25.201000Z', disabledEndpoint],
  'endpoint.test': [
    '2026-11-20T13:47:30.664000Z',
    { message: 'This is a test. Nothing happened, and nothing needs to be done.' },
  ],
};

/**
 * Makes the example event of a type, as the API and its webhook show it.
 * @throws Error for a type without an example.
 */
export const findExampleEvent = (type: string) => {
  const example = EXAMPLES[type];
  if (!example) throw new Error(`Give ${type} an example in infra/openapi/examples/events.ts.`);
  const [timestamp, data] = example;
  return { id: 'evt_01M7WKNY3B5D7F9H2K4M6P8R1T', type, timestamp, mode: 'test', business_id: BUSINESS_ID, data };
};
