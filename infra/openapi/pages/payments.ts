import { INVALID_CURSOR, LIST_QUERY, list, page, success } from '#infra/openapi/endpoint-page.ts';
import { recordedPayment, recordedTransfer } from '#infra/openapi/examples/objects.ts';
import { exportPaymentsContract } from '#shared/payments/contract/export-payments.ts';
import { getPaymentContract } from '#shared/payments/contract/get-payment.ts';
import { getTotalsContract } from '#shared/payments/contract/get-totals.ts';
import { listPaymentsContract } from '#shared/payments/contract/list-payments.ts';
import { paymentViewsToCsv } from '#shared/payments/contract/payment-csv.ts';

const TAG = { tag: 'Payments' } as const;

const FILTERS = {
  from: 'Only payments whose `recorded_at` is this time or later: ISO 8601 with a zone, such as `2026-11-19T23:00:00Z`. A reversal keeps the `recorded_at` of its payment.',
  to: 'Only payments whose `recorded_at` is before this time.',
  outcome: 'Only payments with this outcome.',
  min_amount: 'Only payments of at least this amount, in naira.',
  max_amount: 'Only payments of at most this amount, in naira.',
  sender:
    'Only payments whose `sender_name` contains this text. Case, accents and spaces do not matter: `jose nunez` finds `JOSÉ  NÚÑEZ`.',
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
      'Lists the payments of the key’s mode, on checkouts and on virtual accounts, by `recorded_at`, newest first. Money that was not matched to one of them is not listed.\n\nWith filters, a page may be short or empty while `has_more` is true: see *Lists*. `from` and `to` make a search by `sender` or `payer_email` faster. For the payments of one order, use **List checkouts** with `merchant_reference`: each checkout has its latest 20 `payments`.',
    path: {},
    query: { ...LIST_QUERY, ...FILTERS },
    body: {},
    requests: {},
    answers: {
      page: {
        summary: 'A transfer to a virtual account, and a transfer to a checkout',
        value: list(recordedTransfer, recordedPayment),
      },
      more: {
        summary: 'An empty page that is followed by another',
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
      'Returns a payment in its current state, with the checkout or the virtual account that it is on. A payment has the same `id` in checkouts, webhooks and lists, so credit each `id` once. An `accepted` payment can become `reversed`; nothing else changes.',
    path: { id: { description: 'The `id` of the payment.', example: recordedPayment.id } },
    query: {},
    body: {},
    requests: {},
    answers: { payment: { summary: 'A payment on a checkout', value: success(recordedPayment) } },
    invalid: [],
  }),
  page(exportPaymentsContract, {
    ...TAG,
    title: 'Export payments',
    description:
      'Returns payments as a CSV file (RFC 4180, UTF-8, with a header row) of at most 5,000 rows. It takes the filters of **List payments**. If there are more rows, the header `x-next-cursor` has the `cursor` of the next call; with filters, a file may be short or empty and still have this header. Text is always quoted; amounts, `late` and null values are not. A text gets an apostrophe in front if it begins with `=`, `+`, `-`, `@`, one of their full-width forms (`＝`, `＋`, `－`, `＠`), a tab or a carriage return, because a spreadsheet would run it as a formula, and senders choose their names. **Remove that apostrophe before you compare** a text with your own: *Month-end* says how.',
    path: {},
    query: { cursor: 'The `x-next-cursor` of the previous call. Send the same filters again.', ...FILTERS },
    body: {},
    requests: {},
    answers: { file: { summary: 'Two payments', value: paymentViewsToCsv([recordedTransfer, recordedPayment]) } },
    invalid: [...INVALID, INVALID_CURSOR],
  }),
  page(getTotalsContract, {
    ...TAG,
    title: 'Totals by day',
    description:
      'Returns one entry for each day (Africa/Lagos) from `from` to `to`, both included, at most 92, oldest first. Each payment counts on the day of its `recorded_at` with its present `outcome`, so a reversal changes a past day. A payment that landed a moment ago may be missing.',
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
