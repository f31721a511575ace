import { INVALID_CURSOR, LIST_QUERY, list, METADATA_SENT, page, success } from '#infra/openapi/endpoint-page.ts';
import {
  checkoutWithAnotherAccount,
  checkoutWithRejectedPayment,
  checkoutWithReversedPayment,
  expiredCheckout,
  failedCheckout,
  paidCheckout,
  pendingCheckout,
  REFERENCE,
  underpaidCheckout,
} from '#infra/openapi/examples/objects.ts';
import { providerLimits } from '#infra/openapi/provider-words.ts';
import { expireCheckoutContract } from '#shared/checkouts/contract/expire-checkout.ts';
import { initializeCheckoutContract } from '#shared/checkouts/contract/initialize-checkout.ts';
import { listCheckoutsContract } from '#shared/checkouts/contract/list-checkouts.ts';
import { openAnotherAccountContract } from '#shared/checkouts/contract/open-another-account.ts';
import { requeryCheckoutContract } from '#shared/checkouts/contract/requery-checkout.ts';
import { simulateCheckoutPaymentContract } from '#shared/checkouts/contract/simulate-checkout-payment.ts';
import { verifyCheckoutContract } from '#shared/checkouts/contract/verify-checkout.ts';

const TAG = { tag: 'Checkout' } as const;
const SENDER = {
  sender_name: 'The sender, as the bank would report it. Default: `Adaeze Okafor`.',
  sender_bank: 'The sender’s bank. Default: `Sandbox Bank`.',
};
const OVERPAID_AT_ONCE = {
  ...paidCheckout,
  paid_amount: 10_000.75,
  payments: paidCheckout.payments.map((payment) => ({ ...payment, amount: 10_000.75 })),
  difference: 1_500,
};
const LATE = { ...paidCheckout, paid_at: '2026-11-20T14:31:09.000000Z' };

/** The pages of checkouts. */
export const CHECKOUT_PAGES = [
  page(initializeCheckoutContract, {
    ...TAG,
    title: 'Initialize a checkout',
    description: `Asks a provider for an account number that collects this one payment. Send the payer to \`checkout_url\`, or show them \`amount_to_pay\`, the bank, the account number and the time that is left. Then wait for the webhook \`checkout.paid\`, or call **Verify a checkout**.

This is the only endpoint that a public key may call. A browser then sends the amount and the \`merchant_reference\`, and anyone can change them: **compare \`amount\` and \`paid_amount\` with your own order** before you deliver (see *Secret and public keys*).

Your servers can use each \`merchant_reference\` once in a mode. A second request with it gets 409 \`duplicate_merchant_reference\`. The message names the first checkout, and **List checkouts** finds it by \`merchant_reference\`. You can end a checkout that waits for money with **Expire a checkout**. When the checkout is \`expired\` or \`failed\` without money, you can use the reference again. If money still arrives for the old checkout, it counts there, and both checkouts send their webhooks. With a public key the reference is only a label: it is never refused, and it never blocks your servers.`,
    path: {},
    query: {},
    body: {
      amount: `The amount to collect, in naira: 1 to 100,000,000, with at most two decimals. In live mode providers have narrower limits: ${providerLimits}.`,
      payer_email: 'The payer’s e-mail address. A domain outside ASCII is stored in its `xn--` form.',
      payer_name: 'The payer’s name.',
      currency: 'Only `NGN`.',
      provider:
        'The provider that issues the account: only this one is asked. Without `provider`, this service asks its default provider. If your business has routing on, this service may ask other providers instead, one after another, until one opens an account: see *When a provider fails*. The answer’s `provider` names the one that did.',
      expires_in:
        'Seconds until the checkout expires: 300 to 86,400, with a test key from 1. Default: 1,800. A provider may change it: the answer’s `expires_at` counts.',
      merchant_reference:
        'Your own reference, such as an order number, with at most 100 characters. It is stored trimmed and in Unicode NFC. Your servers can use it once in a mode, and again after its checkout has ended without money.',
      metadata: METADATA_SENT,
      description: 'A text about the purchase for the payer, such as “Order 1042”. At most 120 characters.',
      callback_url:
        'The URL that the payment page leads to after the payment: https, at most 500 characters, without a user name. In test mode also `http://localhost` and `http://127.0.0.1` on any port. **With a public key** it must be on one of your websites. The redirect **never carries a status**: see *Websites and return URLs*.',
      cancel_url:
        'The URL that **Cancel** on the payment page leads to. The rules of `callback_url` apply. Default: `callback_url`; without both, the page has no **Cancel**. Cancelling does not change the checkout, and the payer may have paid already.',
    },
    requests: {
      full: {
        summary: 'With a reference of your own',
        value: {
          amount: 8_500.75,
          payer_email: 'tunde.bakare@example.com',
          payer_name: 'Tunde Bakare',
          merchant_reference: 'ORDER-2026-00417',
          metadata: { cart: 'ankara-6-yards' },
          description: 'Six yards of ankara',
          callback_url: 'https://shop.adastores.example/orders/417',
          cancel_url: 'https://shop.adastores.example/cart',
        },
      },
      least: {
        summary: 'The required fields only',
        value: { amount: 8_500.75, payer_email: 'tunde.bakare@example.com' },
      },
    },
    answers: { pending: { summary: 'Waiting for money', value: success(pendingCheckout, 'Checkout initialized.') } },
    invalid: [
      { field: 'amount', message: 'amount must have at most two decimals.' },
      { field: 'payer_email', message: 'payer_email is required and must be an e-mail address.' },
      { field: 'callback_url', message: 'callback_url must be on a website of this business.' },
    ],
    errors: {
      duplicate_merchant_reference: {
        message: `merchant_reference was used before, by checkout ${REFERENCE}, which waits for money. POST /api/v1/checkouts/${REFERENCE}/expire ends it, and merchant_reference is free again.`,
      },
      provider_error: { message: `${pendingCheckout.provider} could not complete the request.` },
      provider_busy: { message: `${pendingCheckout.provider} takes no more requests right now.` },
      provider_not_enabled: { message: `${pendingCheckout.provider} is not enabled for live mode here.` },
    },
  }),
  page(verifyCheckoutContract, {
    ...TAG,
    title: 'Verify a checkout',
    description:
      'Returns the checkout in its current state. This endpoint has its own rate limit, so frequent requests do not use up the limit of other endpoints. With webhooks you need no polling.',
    path: { reference: { description: 'The `reference` of the checkout.', example: REFERENCE } },
    query: {},
    body: {},
    requests: {},
    answers: {
      paid: { summary: 'Paid', value: success(paidCheckout) },
      pending: { summary: 'Waiting for money', value: success(pendingCheckout) },
      underpaid: { summary: 'Underpaid', value: success(underpaidCheckout) },
      expired: { summary: 'Expired without money', value: success(expiredCheckout) },
    },
    invalid: [],
  }),
  page(listCheckoutsContract, {
    ...TAG,
    title: 'List checkouts',
    description:
      'Lists your checkouts in the key’s mode, newest first. With `merchant_reference` it lists all checkouts with that reference: first those that your servers created, then those created with a public key.\n\nWith `status`, a page may be short or empty while `has_more` is true: see *Lists*.',
    path: {},
    query: {
      ...LIST_QUERY,
      merchant_reference: 'Only checkouts with this `merchant_reference`, in any Unicode form.',
      status: 'Only checkouts that now have this status.',
      payer_email: 'Only checkouts with this `payer_email`. Case does not matter.',
      account_number:
        'Only checkouts with this account number. Providers reuse numbers: the search looks at the newest 50 checkouts with the number, those of other businesses included, and lists yours.',
      from: 'Only checkouts created at or after this time: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`.',
      to: 'Only checkouts created before this time.',
    },
    body: {},
    requests: {},
    answers: {
      page: {
        summary: 'A page that is followed by another',
        value: {
          status: true,
          data: [paidCheckout],
          meta: { has_more: true, next_cursor: '8cQz1nV0m7yqW1o6f3J8XzE3NjM2Mzk0NDI' },
        },
      },
      byReference: { summary: 'Search by merchant_reference', value: list(paidCheckout) },
      empty: { summary: 'No checkouts', value: list() },
    },
    invalid: [{ field: 'limit', message: 'limit must be a whole number from 1 to 100.' }, INVALID_CURSOR],
  }),
  page(expireCheckoutContract, {
    ...TAG,
    title: 'Expire a checkout',
    description: `Ends a checkout before its time. Use it if the payer has given up, or if you need its \`merchant_reference\` for another checkout. A \`pending\` checkout becomes \`expired\`, and \`checkout.expired\` is sent. In live mode we ask the provider first, so that money counts even if its notification is missing. A checkout that is \`expired\`, or \`failed\` without money, stays as it is, and the answer is 200. If the checkout has accepted money, the answer is 409. Money that the provider sent back does not matter.

The provider keeps the account open until \`expires_at\`. **Money that still arrives there counts**: the checkout becomes \`underpaid\` or \`paid\`, and sends its webhook. So stop showing the account number to the payer.`,
    path: { reference: { description: 'The `reference` of the checkout.', example: REFERENCE } },
    query: {},
    body: {},
    requests: {},
    answers: {
      expired: { summary: 'Expired', value: success(expiredCheckout) },
      failed: { summary: 'It failed without money before, and does not change', value: success(failedCheckout) },
    },
    invalid: [],
    errors: {
      checkout_not_payable: { message: 'Checkout has accepted money.' },
      provider_error: { message: `${pendingCheckout.provider} could not complete the request.` },
      provider_busy: { message: `${pendingCheckout.provider} takes no more requests right now.` },
    },
  }),
  page(requeryCheckoutContract, {
    ...TAG,
    title: 'Requery a checkout',
    description: `Asks the provider for the checkout’s money now, and answers with the checkout. Normally you do not need it: providers notify us, and we ask them ourselves around the expiry. Use it if a payer insists that they have paid.

If the provider reports new money, it lands as always, with its webhook. A request without new money changes nothing, not even \`version\`. If the provider cannot be reached, the answer is 502 \`provider_error\`, and nothing has changed.

In these cases the answer is the checkout as we have stored it:

- The provider was asked within the last ten seconds.
- The provider’s answer may be older than our record, for example within half a minute of a reversal. Ask again later.
- The checkout is a test checkout: test mode has no provider.`,
    path: { reference: { description: 'The `reference` of the checkout.', example: REFERENCE } },
    query: {},
    body: {},
    requests: {},
    answers: {
      paid: { summary: 'The provider reported money', value: success(paidCheckout) },
      pending: { summary: 'The provider reported no money', value: success(pendingCheckout) },
    },
    invalid: [],
    errors: {
      provider_error: { message: `${pendingCheckout.provider} could not complete the request.` },
      provider_busy: { message: `${pendingCheckout.provider} takes no more requests right now.` },
    },
  }),
  page(openAnotherAccountContract, {
    ...TAG,
    title: 'Open another account',
    description: `Opens an account at another provider, beside the present one. Use it if the payer’s bank cannot find the account, or if transfers to it fail. The answer is the checkout: its \`provider\` and account fields are those of the new account, and \`accounts\` lists all accounts. **Money on any of them counts.** Money beyond the amount causes \`checkout.overpaid\`. So show the payer one account, and say that transfers to the other one still count.

The checkout must be \`pending\` and before its \`expires_at\`, and your business must have routing on (*When a provider fails*). A checkout can have at most three accounts in its life, each at another provider. If no provider is left, or none of them opens an account, the answer is 409 \`no_other_provider\`. While another request opens one, the answer is 429 with \`Retry-After\`.

The new account stays open for at least five minutes, and the checkout expires after the last of its accounts. \`version\` grows, but no webhook is sent. Payers can do the same with the button “My bank can’t find this account” on the payment page, unless you named the \`provider\`.`,
    path: { reference: { description: 'The `reference` of the checkout.', example: REFERENCE } },
    query: {},
    body: {},
    requests: {},
    answers: { moved: { summary: 'The checkout with another account', value: success(checkoutWithAnotherAccount) } },
    invalid: [],
    errors: {
      checkout_not_payable: { message: 'Checkout is already paid.' },
      provider_busy: { message: `${checkoutWithAnotherAccount.provider} takes no more requests right now.` },
    },
  }),
  page(simulateCheckoutPaymentContract, {
    ...TAG,
    title: 'Simulate a checkout’s payment',
    description:
      'Simulates one of these for a test checkout: a transfer of any amount, before or after the expiry; a transfer that the provider sends back; the return of a transfer that counted; or a failure. Everything after it works as in live mode, webhooks included. The answer is the checkout.\n\nWithout `amount`, the transfer has the amount that is due; if the checkout is already `paid` or `failed`, the answer is 409. With `amount`, the transfer lands in every state of the checkout, as a real one would.',
    path: {},
    query: {},
    body: {
      reference: 'The `reference` of a test checkout.',
      status: '`success` (default): a transfer arrives. `failed`: a pending checkout fails.',
      outcome:
        '`accepted` (default): the transfer counts. `rejected`: the provider sends it back, for example because of a wrong amount; sum and status do not change. `reversed`: the newest accepted payment is returned whole, and the status is computed without it.',
      amount: 'The amount of the transfer, in naira. Default: the amount that is still due.',
      late: '`true`: the transfer comes after the expiry. It is made now (`paid_at`): if the `expires_at` of the account is in the future, `expires_at` is changed to the moment before it. If the transfer does not count, a pending checkout expires within a minute.',
      ...SENDER,
      account_number:
        'The account, one of the checkout’s `accounts`, that the transfer goes to. Default: the current one. Leave it out with `status: failed` and with `outcome: reversed`.',
    },
    requests: {
      pay: { summary: 'The amount that is due', value: { reference: REFERENCE } },
      under: { summary: 'An underpayment', value: { reference: REFERENCE, amount: 5_000 } },
      over: {
        summary: 'An overpayment with a sender',
        value: { reference: REFERENCE, amount: 10_000.75, sender_name: 'TUNDE BAKARE', sender_bank: 'GTBank' },
      },
      late: { summary: 'A late transfer', value: { reference: REFERENCE, late: true } },
      reject: {
        summary: 'A transfer that is sent back',
        value: { reference: REFERENCE, amount: 5_000, outcome: 'rejected' },
      },
      reverse: {
        summary: 'The return of a transfer that counted',
        value: { reference: REFERENCE, outcome: 'reversed' },
      },
      fail: { summary: 'A failure', value: { reference: REFERENCE, status: 'failed' } },
    },
    answers: {
      paid: { summary: 'Paid', value: success(paidCheckout) },
      underpaid: { summary: 'Underpaid', value: success(underpaidCheckout) },
      overpaid: { summary: 'Overpaid', value: success(OVERPAID_AT_ONCE) },
      late: {
        summary: 'Paid by a late transfer',
        value: success({
          ...LATE,
          payments: LATE.payments.map((payment) => ({ ...payment, late: true, paid_at: LATE.paid_at })),
        }),
      },
      rejected: { summary: 'The transfer was sent back', value: success(checkoutWithRejectedPayment) },
      reversed: { summary: 'The money was returned', value: success(checkoutWithReversedPayment) },
      failed: { summary: 'Failed', value: success(failedCheckout) },
    },
    invalid: [{ field: 'reference', message: 'reference is required and must be a checkout reference.' }],
    errors: { checkout_not_payable: { message: 'Checkout is already paid.' } },
  }),
];
