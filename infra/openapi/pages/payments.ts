import { INVALID_CURSOR, LIST_QUERY, list, page, success } from '#infra/openapi/endpoint-page.ts';
import { recordedPayment, recordedTransfer } from '#infra/openapi/examples/objects.ts';
import { exportPaymentsContract } from '#shared/payments/contract/export-payments.ts';
import { getPaymentContract } from '#shared/payments/contract/get-payment.ts';
import { getTotalsContract } from '#shared/payments/contract/get-totals.ts';
import { listPaymentsContract } from '#shared/payments/contract/list-payments.ts';
import { paymentViewsToCsv } from '#shared/payments/contract/payment-csv.ts';

const TAG = { tag: 'Payments' } as const;

const FILTERS = {
  from: 'Only payments with this `recorded_at` or a later one: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`. A reversal keeps the `recorded_at` of its payment.',
  to: 'Only payments with an earlier `recorded_at` than this.',
  outcome: 'Only payments with this outcome.',
  min_amount: 'Only payments of at least this amount, in naira.',
  max_amount: 'Only payments of at most this amount, in naira.',
  sender:
    'Only payments whose `sender_name` has this in it, whatever its case, accents and spaces: `jose nunez` finds `JOSÉ  NÚÑEZ`.',
  payer_email: 'Only payments on checkouts with this `payer_email`, or on virtual accounts with this `customer_email`.',
};
const INVALID = [
  { field: 'from', message: 'from must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.' },
  { field: 'min_amount', message: 'min_amount must be a number in naira with at most two decimals.' },
];

/** The pages of payments. */
export const PAYMENT_PAGES = [
  page(listPaymentsContract, {
    ...TAG,
    title: 'List payments',
    description:
      'All payments of the key’s mode, on checkouts and virtual accounts alike, by `recorded_at`, newest first. Money that was never matched to one of them is not listed.\n\nOne call looks through a bounded number of payments, so with filters a page may have fewer than `limit`, or none, while `has_more` is true: go on with `next_cursor`. `from` and `to` make a search by `sender` or `payer_email` faster. For the payments of one order, use **List checkouts** with `merchant_reference`: each has its latest 20 `payments`.',
    path: {},
    query: { ...LIST_QUERY, ...FILTERS },
    body: {},
    requests: {},
    answers: {
      page: {
        summary: 'A transfer to a virtual account, and one to a checkout',
        value: list(recordedTransfer, recordedPayment),
      },
      more: {
        summary: 'None on this page, and more to look through',
        value: {
          status: true,
          data: [],
          meta: { has_more: true, next_cursor: '8cQz1nV0m7yqW1o6f3J8XzE3NjM2Mzk0NDI' },
        },
      },
    },
    invalid: [...INVALID, INVALID_CURSOR],
  }),
  page(getPaymentContract, {
    ...TAG,
    title: 'Show a payment',
    description:
      'One transfer as it counts now, with the checkout or virtual account that it is on. The `id` is the one in the `payments` of a checkout, in webhooks and in lists: what you have credited once under it needs no second credit. A payment that was `accepted` can become `reversed`; nothing else of it changes.',
    path: { id: { description: 'The `id` of the payment.', example: recordedPayment.id } },
    query: {},
    body: {},
    requests: {},
    answers: { payment: { summary: 'On a checkout', value: success(recordedPayment) } },
    invalid: [],
  }),
  page(exportPaymentsContract, {
    ...TAG,
    title: 'Export payments',
    description:
      'The same payments as a CSV file (RFC 4180, UTF-8, with a header row), 5,000 rows at most. If there are more, the header `x-next-cursor` has the `cursor` of the next call; with filters a call may give fewer rows and still have one. Text is always quoted; amounts, `late` and what is null are not. Text that begins with `=`, `+`, `-`, `@`, one of their full-width forms (`＝`, `＋`, `－`, `＠`), a tab or a carriage return has an apostrophe in front, because spreadsheets would run it as a formula, and senders choose their names. **Strip that apostrophe before you match** a text with your own.',
    path: {},
    query: { cursor: 'The `x-next-cursor` of the call before, with the same filters.', ...FILTERS },
    body: {},
    requests: {},
    answers: { file: { summary: 'Two payments', value: paymentViewsToCsv([recordedTransfer, recordedPayment]) } },
    invalid: [...INVALID, INVALID_CURSOR],
  }),
  page(getTotalsContract, {
    ...TAG,
    title: 'Totals by day',
    description:
      'One entry for each day of Africa/Lagos from `from` to `to`, both included, 92 at most, oldest first. Each payment counts on the day of its `recorded_at` with its present `outcome`, so a reversal changes a day that is over. A payment that landed a moment ago may be missing.',
    path: {},
    query: {
      from: { description: 'The first day.', example: '2026-11-01' },
      to: { description: 'The last day.', example: '2026-11-30' },
    },
    body: {},
    requests: {},
    answers: {
      days: {
        summary: 'Two days',
        value: success([
          { date: '2026-11-19', count: 0, amount: 0, rejected: 0, reversed: 0 },
          { date: '2026-11-20', count: 2, amount: 33_500.75, rejected: 0, reversed: 5_000 },
        ]),
      },
    },
    invalid: [
      { field: 'from', message: 'from is required and must be a day, such as 2026-11-20.' },
      { field: 'to', message: 'to must be the same day as from, or at most 91 days after it.' },
    ],
  }),
];
