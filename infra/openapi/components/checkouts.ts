import { accountAnswer, checkoutAnswer, checkoutInEvent } from '#shared/checkouts/contract/checkout-answer.ts';
import { BANK_CODE, component, ISSUING_PROVIDER, METADATA } from './component.ts';

const EXPIRES_AT =
  'The payer should pay before this time. The provider may have chosen another time than you asked for.';

const checkoutFields = {
  mode: 'The mode of the key that created it.',
  reference: 'Identifies the checkout.',
  amount: 'The amount that you asked for, in naira.',
  status: 'The state of the checkout: see *Checkout states*.',
  paid: 'True while `status` is `paid`, else false.',
  payer_email: 'The payer’s e-mail address, as you sent it. A domain outside ASCII is in its `xn--` form.',
  paid_amount: 'The sum of the accepted payments, in naira. Compare it with the amount of your own order.',
  paid_at: 'The time of the payment that completed the amount; null before that payment.',
  sender_name:
    'The sender of the payment that completed the amount, as the bank reports it; null before that payment, or if the bank does not report it.',
  sender_bank: 'The bank of that sender; null before that payment, or if the bank is not reported.',
  currency: 'Always `NGN`.',
  created_with:
    'The kind of API key that created it, or `dashboard` if one of your team did. With `public`, the amount and the `merchant_reference` come from a browser, where anyone can change them: see *Secret and public keys*.',
  description: 'The text that the payer reads about the purchase, as you sent it.',
  amount_to_pay:
    'The amount that the payer must transfer, in naira. Show this amount: a provider may expect it to the kobo.',
  provider: ISSUING_PROVIDER,
  account_number: 'The number of the account that the payer transfers to. It belongs to this checkout only.',
  account_name: 'The name that the payer’s bank shows for the account: see *The name on the account*.',
  bank_name: 'The bank of the account.',
  bank_code: BANK_CODE,
  payer_name: 'The payer’s name, as you sent it.',
  merchant_reference:
    'Your own reference, trimmed and in Unicode NFC. With `created_with` `public`, anyone may have sent it.',
  metadata: METADATA,
  expires_at: EXPIRES_AT,
  created_at: 'The time when it was created.',
  version:
    'Grows with every change. Webhooks can arrive out of order: ignore a version that is lower than one you have seen.',
  payments:
    'The latest 20 payments, newest first. `paid_amount` counts all payments; *Lists* says how to find the older ones.',
  difference:
    '`paid_amount` minus `amount`, in naira, exact to the kobo. It is negative while money is owed, and positive if too much was paid.',
  accounts:
    'All accounts that the payer was shown, oldest first: one, or up to three if other accounts were opened. Money on any of them counts.',
};

/** The components of checkouts. */
export const CHECKOUT_COMPONENTS = [
  component(checkoutAnswer, 'Checkout', 'A request for one payment by bank transfer.', {
    ...checkoutFields,
    checkout_url:
      'The address of the payment page, on the host that you called: send the payer there. Anyone who has it sees the amount and the account, but can change nothing.',
    callback_url:
      'The URL that the payment page leads to after the payment, as you sent it: see *Websites and return URLs*.',
    cancel_url:
      'The URL that **Cancel** on the payment page leads to, as you sent it. If it is null, **Cancel** leads to `callback_url`; if both are null, the page has no **Cancel**.',
  }),
  component(
    checkoutInEvent,
    'CheckoutInEvent',
    'A checkout in a webhook. It has no `checkout_url`, because anyone who reads your logs could open that page, and no `callback_url` and `cancel_url`.',
    checkoutFields,
  ),
  component(accountAnswer, 'CheckoutAccount', 'An account of a checkout that the payer was shown.', {
    provider: ISSUING_PROVIDER,
    account_number: 'The account number.',
    account_name: 'The name on the account.',
    bank_name: 'The bank of the account.',
    bank_code: BANK_CODE,
    amount_to_pay: 'The amount that the payer must transfer to it, in naira.',
    expires_at: EXPIRES_AT,
    current: 'True for the account that the payer is shown now. The checkout’s own fields are those of this account.',
  }),
];
