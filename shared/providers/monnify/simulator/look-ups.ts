import { type Answer, type Call, type Route, slicePage } from '#shared/providers/common/simulator/wire.ts';
import { monnifyError, monnifySuccess } from './shapes.ts';
import type { MonnifyTransaction } from './transaction.ts';
import { accountRow, findStatus, searchView, transactionView, type View } from './transactions.ts';

/** The answer about a transaction that does not exist. */
export const NO_TRANSACTION = monnifyError(404, 'Could not find transaction with the specified reference');

const answerAbout = (transaction: MonnifyTransaction | undefined, view: View): Answer =>
  transaction ? monnifySuccess(transactionView(transaction, view)) : NO_TRANSACTION;

const findByQuery = (transactions: readonly MonnifyTransaction[], { query }: Call) =>
  transactions.find((transaction) =>
    query.has('transactionReference')
      ? transaction.transactionReference === query.get('transactionReference')
      : transaction.paymentReference === query.get('paymentReference'),
  );

const fetchTransaction = (
  transactions: readonly MonnifyTransaction[],
  { path }: Call,
  reference: string,
  view: View,
): Answer =>
  // Pipes must be encoded in a path.
  path.includes('|')
    ? monnifyError(400, 'Invalid request')
    : answerAbout(
        transactions.find((transaction) => transaction.transactionReference === reference),
        view,
      );

const paged = (newestLast: readonly unknown[], { query }: Call): Answer => {
  const [number, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 10)];
  if (!(number >= 0 && size >= 1 && size <= 100)) return monnifyError(400, 'Invalid request');
  const { items, total, pages } = slicePage(newestLast.toReversed(), number * size, size);
  const position = { totalElements: total, totalPages: pages, number, size };
  return monnifySuccess({ content: items, ...position, first: number === 0, last: number >= pages - 1 });
};

const search = (transactions: readonly MonnifyTransaction[], call: Call, view: View): Answer => {
  const { query } = call;
  const [from, to] = [Number(query.get('from') ?? 0), Number(query.get('to') ?? Number.MAX_SAFE_INTEGER)];
  const [status, reference] = [query.get('paymentStatus'), query.get('paymentReference')];
  const matches = transactions
    .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    .filter((transaction) => status === null || findStatus(transaction, view) === status)
    .filter((transaction) => reference === null || transaction.paymentReference === reference);
  const rows = matches.map((transaction) => searchView(transaction, view));
  return paged(rows, call);
};

const listAccountTransactions = (transactions: readonly MonnifyTransaction[], call: Call, view: View): Answer => {
  const reference = call.query.get('accountReference');
  const own = transactions.filter(
    ({ product }) => product.type === 'RESERVED_ACCOUNT' && product.reference === reference,
  );
  const rows = own.map((transaction) => accountRow(transaction, view));
  return paged(rows, call);
};

/** Simulates look-ups and lists of transactions (providers.md section 2.4). */
export const lookUpRoutes = (transactions: readonly MonnifyTransaction[], view: () => View): readonly Route[] => [
  [
    'GET',
    /^\/api\/v1\/bank-transfer\/reserved-accounts\/transactions$/,
    (call) => listAccountTransactions(transactions, call, view()),
  ],
  ['GET', /^\/api\/v2\/merchant\/transactions\/query$/, (call) => answerAbout(findByQuery(transactions, call), view())],
  [
    'GET',
    /^\/api\/v2\/transactions\/([^/]+)$/,
    (call, reference = '') => fetchTransaction(transactions, call, reference, view()),
  ],
  ['GET', /^\/api\/v1\/transactions\/search$/, (call) => search(transactions, call, view())],
];
