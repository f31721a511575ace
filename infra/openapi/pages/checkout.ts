import { INVALID_CURSOR, LIST_QUERY, list, METADATA_SENT, page, success } from '#infra/openapi/endpoint-page.ts';
import {
  expired,
  failed,
  moved,
  paid,
  pending,
  REFERENCE,
  rejected,
  reversed,
  underpaid,
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
  sender_name: 'The name of the sender, as the bank would report it; by default `Adaeze Okafor`.',
  sender_bank: 'The bank that the money comes from; by default `Sandbox Bank`.',
};
const MORE = {
  ...paid,
  paid_amount: 10_000.75,
  payments: paid.payments.map((payment) => ({ ...payment, amount: 10_000.75 })),
  difference: 1_500,
};
const LATE = { ...paid, paid_at: '2026-11-20T14:31:09.000000Z' };

/** The pages of checkouts. */
export const CHECKOUT_PAGES = [
  page(initializeCheckoutContract, {
    ...TAG,
    title: 'Initialize a checkout',
    description: `Asks a provider for an account number that collects this one payment. Show the payer \`amount_to_pay\`, the bank, the account number and the time that is left; then wait for \`checkout.paid\`, or ask with **Verify a checkout**.

This is the only endpoint that a public key may call. Amount and \`merchant_reference\` then come from the payer’s browser, where anyone can change them: **compare \`amount\` and \`paid_amount\` with your own order** before you hand anything over.

Among the checkouts that your servers make with a secret key, a \`merchant_reference\` is used once: a second request answers 409 and names the other checkout, which **List checkouts** finds by \`merchant_reference\`. While that waits for money, you can end it with **Expire a checkout**. Once it is \`expired\` or \`failed\` without money, the reference can be used again. Money that still arrives for the old checkout stays with it, and both send their webhooks. With a public key the reference is a label: it is never refused, and it never stands in the way of your servers.`,
    path: {},
    query: {},
    body: {
      amount: `What you want to collect, in naira: 1 to 100,000,000, at most two decimals. In live mode a provider takes less: ${providerLimits}.`,
      payer_email: 'The payer’s e-mail address. A domain that is not ASCII is kept as `xn--`.',
      payer_name: 'The payer’s name.',
      currency: 'Only `NGN`.',
      provider:
        'Who issues the account. Left out: the default of this service, or another one while that fails, where your business has routing on (*When a provider fails*). `provider` of the answer names it.',
      expires_in:
        'Seconds until it expires, by default 1,800; at most 86,400, and with a live key at least 300. A provider may move the expiry: `expires_at` of the answer counts.',
      merchant_reference:
        'Your own reference, such as an order number. At most 100 characters. Space around it is dropped, and it is kept in Unicode NFC. In one mode your servers can use every reference once, and again when its checkout has ended without money.',
      metadata: METADATA_SENT,
      description: 'What the payer reads of what is paid for, such as “Order 1042”. At most 120 characters.',
      callback_url:
        'Where the page at `checkout_url` leads once it is paid, by itself after eight seconds, or by a link without JavaScript: https, at most 500 characters, without a user name. In test mode also `http://localhost` and `http://127.0.0.1` on any port. **With a public key** it must be on one of your websites, since anyone can copy that key. Nothing in it is changed: `reference` and `trxref` come after your own query, **never a status**: verify the checkout before you hand anything over.',
      cancel_url:
        'Where **Cancel** on the page leads; the same rules. Left out: `callback_url`; with neither, the page has no **Cancel**. It also gets `cancelled=true`. The payer may have paid all the same, and the checkout stays as it is.',
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
        summary: 'As little as possible',
        value: { amount: 8_500.75, payer_email: 'tunde.bakare@example.com' },
      },
    },
    answers: { pending: { summary: 'It waits for the money', value: success(pending, 'Checkout initialized.') } },
    invalid: [
      { field: 'amount', message: 'amount must have at most two decimals.' },
      { field: 'payer_email', message: 'payer_email is required and must be an e-mail address.' },
      { field: 'callback_url', message: 'callback_url must be on a website of this business.' },
    ],
    errors: {
      duplicate_merchant_reference: {
        message: `merchant_reference was used before, by checkout ${REFERENCE}, which waits for money. POST /api/v1/checkouts/${REFERENCE}/expire ends it, and merchant_reference is free again.`,
      },
      provider_error: { message: `${pending.provider} could not complete the request.` },
      provider_busy: { message: `${pending.provider} takes no more requests right now.` },
      provider_not_enabled: { message: `${pending.provider} is not enabled for live mode here.` },
    },
  }),
  page(verifyCheckoutContract, {
    ...TAG,
    title: 'Verify a checkout',
    description:
      'Returns the current state of a checkout. It has its own rate limit, so that frequent requests do not use up that of other endpoints. Webhooks save you from polling.',
    path: { reference: { description: 'The `reference` of the checkout.', example: REFERENCE } },
    query: {},
    body: {},
    requests: {},
    answers: {
      paid: { summary: 'Paid', value: success(paid) },
      pending: { summary: 'Waiting for money', value: success(pending) },
      underpaid: { summary: 'Less than was asked for', value: success(underpaid) },
      expired: { summary: 'Expired without money', value: success(expired) },
    },
    invalid: [],
  }),
  page(listCheckoutsContract, {
    ...TAG,
    title: 'List checkouts',
    description:
      'Your checkouts of the key’s mode, newest first. With `merchant_reference`: all that bear it, those made with a secret key before those made with a public one.\n\nOne call looks through a bounded number of checkouts, so with `status` a page may have fewer than `limit`, or none, while `has_more` is true: go on with `next_cursor`.',
    path: {},
    query: {
      ...LIST_QUERY,
      merchant_reference: 'Only checkouts with this `merchant_reference`, however its accents are encoded.',
      status: 'Only checkouts that have this status now.',
      payer_email: 'Only checkouts with this `payer_email`, in upper or lower case.',
      account_number:
        'Only checkouts with this account number. Providers use a number again: of the newest 50 checkouts that had it, anybody’s, yours are found.',
      from: 'Only checkouts with this `created_at` or a later one: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`.',
      to: 'Only checkouts with an earlier `created_at` than this.',
    },
    body: {},
    requests: {},
    answers: {
      page: {
        summary: 'A page, with more to come',
        value: {
          status: true,
          data: [paid],
          meta: { has_more: true, next_cursor: '8cQz1nV0m7yqW1o6f3J8XzE3NjM2Mzk0NDI' },
        },
      },
      found: { summary: 'Found by its merchant_reference', value: list(paid) },
      empty: { summary: 'Nothing there', value: list() },
    },
    invalid: [{ field: 'limit', message: 'limit must be a whole number from 1 to 100.' }, INVALID_CURSOR],
  }),
  page(expireCheckoutContract, {
    ...TAG,
    title: 'Expire a checkout',
    description: `Ends a checkout before its time: the payer has given up, or you want its \`merchant_reference\` for another. A pending checkout becomes \`expired\`, and \`checkout.expired\` is sent. In live mode its provider is asked first, so that money without a notification counts. One that is \`expired\`, or \`failed\` without money, stays as it is and answers 200. Accepted money is 409; money that the provider sent back counts as none.

The provider keeps the account open until \`expires_at\`. **What is still paid into it counts**: the checkout is \`underpaid\` or \`paid\` then, and sends its webhook. So take its account number out of the payer’s sight.`,
    path: { reference: { description: 'The `reference` of the checkout.', example: REFERENCE } },
    query: {},
    body: {},
    requests: {},
    answers: {
      expired: { summary: 'Expired', value: success(expired) },
      failed: { summary: 'It had failed without money, and stays so', value: success(failed) },
    },
    invalid: [],
    errors: {
      checkout_not_payable: { message: 'Checkout has accepted money.' },
      provider_error: { message: `${pending.provider} could not complete the request.` },
      provider_busy: { message: `${pending.provider} takes no more requests right now.` },
    },
  }),
  page(requeryCheckoutContract, {
    ...TAG,
    title: 'Requery a checkout',
    description: `Asks the provider now, and answers with the checkout. You do not need it in the ordinary course: providers notify us, and we ask them ourselves around the expiry. It helps when a payer insists that they have paid.

Money that the provider knows of lands as always, with its webhook. Asking alone changes nothing, not even \`version\`. A checkout’s provider is asked at most once in ten seconds; until then the answer is the checkout as we know it. In test mode, where there is no provider to ask, it always is. If the provider cannot be asked, the answer is a 502 \`provider_error\`, and nothing has changed. If what it says may be older than what we know, such as within half a minute of a reversal, the answer is the checkout as we know it: ask again later.`,
    path: { reference: { description: 'The `reference` of the checkout.', example: REFERENCE } },
    query: {},
    body: {},
    requests: {},
    answers: {
      paid: { summary: 'The provider knew of the money', value: success(paid) },
      pending: { summary: 'It knows of none', value: success(pending) },
    },
    invalid: [],
    errors: {
      provider_error: { message: `${pending.provider} could not complete the request.` },
      provider_busy: { message: `${pending.provider} takes no more requests right now.` },
    },
  }),
  page(openAnotherAccountContract, {
    ...TAG,
    title: 'Open another account',
    description: `The payer’s bank cannot find the account, or transfers to it fail: another provider opens one, beside the first. The answer is the checkout, whose \`provider\` and account are the new ones; \`accounts\` lists all of them. **Money on any of them counts**, and what comes beyond the amount is \`checkout.overpaid\`: show the payer one account, and say that the other still counts.

It is for a \`pending\` checkout before its \`expires_at\`, of a business that has routing on (*When a provider fails*). A checkout has at most three accounts in its life, each at another provider; where none is left, or none opens one, the answer is 409 \`no_other_provider\`. The new account is open at least five minutes. The checkout expires after the last of its accounts. No webhook is sent; \`version\` grows. The payer can do the same with “My bank can’t find this account” on the page at \`checkout_url\`, unless you named the provider.

While another request opens one, the answer is 429 with \`Retry-After\`.`,
    path: { reference: { description: 'The `reference` of the checkout.', example: REFERENCE } },
    query: {},
    body: {},
    requests: {},
    answers: { moved: { summary: 'Another account', value: success(moved) } },
    invalid: [],
    errors: {
      checkout_not_payable: { message: 'Checkout is already paid.' },
      provider_busy: { message: `${moved.provider} takes no more requests right now.` },
    },
  }),
  page(simulateCheckoutPaymentContract, {
    ...TAG,
    title: 'Simulate a checkout’s payment',
    description:
      'Simulates a transfer for a test checkout, of any amount and before or after the expiry, one that the provider sends back, the return of one that had counted, or a failure. Everything after that is as in live mode, webhook included. The answer is the checkout.\n\nWithout `amount`, what is due is paid or rejected, and a checkout that is `paid` or `failed` already is 409. With an `amount` the transfer lands in every state, as a real one would.',
    path: {},
    query: {},
    body: {
      reference: 'The `reference` of a test checkout.',
      status: '`success`, the default: a transfer arrives. `failed`: a pending checkout fails.',
      outcome:
        '`accepted`, the default: the transfer counts. `rejected`: the provider sends it back, as it does with a wrong amount; nothing else changes. `reversed`: the newest accepted payment is returned whole, and the state is computed without it.',
      amount: 'The amount of the transfer, in naira; by default what is still due. Less underpays, more overpays.',
      late: '`true`: the transfer is made after the checkout’s expiry. Where that is still to come, the time of the checkout is over now: its `expires_at` becomes the moment before the transfer, whose `paid_at` is now. If the transfer does not count, a pending checkout expires with the next look at it, within a minute.',
      ...SENDER,
      account_number:
        'Which of the checkout’s `accounts` the transfer goes to; by default the one that the payer is shown now. Left out with `status: failed` and `outcome: reversed`.',
    },
    requests: {
      pay: { summary: 'All that is due', value: { reference: REFERENCE } },
      under: { summary: 'Too little', value: { reference: REFERENCE, amount: 5_000 } },
      over: {
        summary: 'Too much, with a sender',
        value: { reference: REFERENCE, amount: 10_000.75, sender_name: 'TUNDE BAKARE', sender_bank: 'GTBank' },
      },
      late: { summary: 'Too late', value: { reference: REFERENCE, late: true } },
      reject: { summary: 'Sent back', value: { reference: REFERENCE, amount: 5_000, outcome: 'rejected' } },
      reverse: { summary: 'Returned after it counted', value: { reference: REFERENCE, outcome: 'reversed' } },
      fail: { summary: 'Failure', value: { reference: REFERENCE, status: 'failed' } },
    },
    answers: {
      paid: { summary: 'Paid', value: success(paid) },
      underpaid: { summary: 'Less than was asked for', value: success(underpaid) },
      overpaid: { summary: 'More than was asked for', value: success(MORE) },
      late: {
        summary: 'Late, and paid all the same',
        value: success({
          ...LATE,
          payments: LATE.payments.map((payment) => ({ ...payment, late: true, paid_at: LATE.paid_at })),
        }),
      },
      rejected: { summary: 'Sent back', value: success(rejected) },
      reversed: { summary: 'Paid, and then returned', value: success(reversed) },
      failed: { summary: 'Failed', value: success(failed) },
    },
    invalid: [{ field: 'reference', message: 'reference is required and must be a checkout reference.' }],
    errors: { checkout_not_payable: { message: 'Checkout is already paid.' } },
  }),
];
