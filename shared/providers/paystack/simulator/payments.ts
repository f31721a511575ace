import * as z from 'zod';
import type { Account, Incoming, Ledger } from '#shared/providers/common/simulator/ledger.ts';
import { computeFee, type Kobo } from '#shared/providers/common/simulator/money.ts';
import type { Answer, Call, Route } from '#shared/providers/common/simulator/wire.ts';
import { PAYSTACK_BANKS } from './accounts.ts';
import type { PaystackReading } from './readings.ts';
import {
  chargeView,
  invalidParams,
  type PaystackCustomer,
  paystackError,
  paystackPage,
  paystackSuccess,
} from './shapes.ts';
import { type PaystackTransaction, refundRow, transactionRow, verifyView } from './transaction.ts';

const MINUTE = 60_000;
/** Bounds of a payment account's life, in milliseconds. */
const SHORTEST_LIFE = 15 * MINUTE;
const LONGEST_LIFE = 8 * 60 * MINUTE;

const newCharge = z.object({
  email: z.email(),
  amount: z.coerce.number().int().min(5_000),
  bank_transfer: z.object({ account_expires_at: z.iso.datetime({ offset: true }).nullish() }),
  reference: z
    .string()
    .regex(/^[a-zA-Z0-9.=-]+$/)
    .optional(),
});

const NOT_FOUND = {
  type: 'validation_error',
  code: 'transaction_not_found',
  meta: { nextStep: 'Check the reference' },
};

/** Opens a payment of the merchant, with an account whose expiry Paystack limits. */
const openTransaction = (
  ledger: Ledger,
  { id, reference, amount, expiresAt }: { id: number; reference: string; amount: Kobo; expiresAt: number | null },
  customer: PaystackCustomer,
  now: number,
): PaystackTransaction => {
  const duration = expiresAt === null ? LONGEST_LIFE : expiresAt - now;
  const account = ledger.open({
    provider: 'paystack',
    kind: 'payment',
    reference,
    name: 'SIMSHOP CHECKOUT',
    bankName: PAYSTACK_BANKS['titan-paystack'],
    bankCode: 'titan-paystack',
    toPay: amount,
    expiresAt: now + Math.min(LONGEST_LIFE, Math.max(SHORTEST_LIFE, duration)),
  });
  return {
    id,
    reference,
    channel: 'bank_transfer',
    amount,
    fees: computeFee(amount, 100, 30_000),
    account,
    customer,
    createdAt: now,
    paidBy: null,
    refunds: [],
  };
};

/** Creates the transaction of a transfer into a static account. */
const creditTransaction = (
  id: number,
  account: Account,
  customer: PaystackCustomer,
  incoming: Incoming,
): PaystackTransaction => ({
  id,
  // Paystack's own reference, because the merchant gave this payment none.
  reference: `${Math.floor(incoming.paidAt / 1000)}-${id.toString(36)}-simulator`,
  channel: 'dedicated_nuban',
  amount: incoming.amount,
  fees: computeFee(incoming.amount, 100, 30_000),
  account,
  customer,
  createdAt: incoming.paidAt,
  paidBy: incoming,
  refunds: [],
});

const listTransactions = (
  transactions: readonly PaystackTransaction[],
  { query }: Call,
  reading: PaystackReading,
  now: number,
): Answer => {
  const [from, to] = [query.get('from'), query.get('to')].map((text) => (text === null ? null : Date.parse(text)));
  const status = query.get('status');
  const rows = transactions
    .filter(({ createdAt }) => createdAt >= (from ?? 0) && createdAt <= (to ?? Number.POSITIVE_INFINITY))
    .map((transaction) => transactionRow(transaction, reading, now))
    .filter((row) => status === null || row.status === status);
  return paystackPage('Transactions retrieved', rows.toReversed(), query, reading);
};

/** Lists the refunds of one transaction, or of all (providers.md section 1.6). */
const listRefunds = (
  transactions: readonly PaystackTransaction[],
  { query }: Call,
  reading: PaystackReading,
): Answer => {
  const transactionId = query.get('transaction');
  const rows = transactions
    .filter(({ id }) => transactionId === null || String(id) === transactionId)
    .flatMap((transaction) => transaction.refunds.map((refund) => refundRow(transaction, refund)));
  return paystackPage('Refunds retrieved', rows, query, reading);
};

/** Builds the routes that read transactions, by reference or id. Each route has its own error. */
const readRoutes = (
  transactions: readonly PaystackTransaction[],
  reading: () => PaystackReading,
  now: () => number,
): readonly Route[] => {
  const answerWith = (transaction: PaystackTransaction | undefined, message: string, missing: Answer): Answer =>
    transaction ? paystackSuccess(message, verifyView(transaction, reading(), now())) : missing;
  const findByReference = (reference: string) =>
    transactions.find((transaction) => transaction.reference === reference);
  const verify = (_: Call, reference: string): Answer =>
    answerWith(
      findByReference(reference),
      'Verification successful',
      paystackError(reading().unknownReference, 'Transaction not found', NOT_FOUND),
    );
  const checkCharge = (_: Call, reference: string): Answer =>
    answerWith(
      findByReference(reference),
      'Reference check successful',
      paystackError(400, 'Transaction reference is invalid'),
    );
  const fetchTransaction = (_: Call, id: string): Answer =>
    answerWith(
      transactions.find((transaction) => String(transaction.id) === id),
      'Transaction retrieved',
      paystackError(404, 'Transaction not found', NOT_FOUND),
    );
  return [
    ['GET', /^\/charge\/([^/]+)$/, checkCharge],
    ['GET', /^\/transaction\/verify\/([^/]+)$/, verify],
    ['GET', /^\/transaction\/(\d+)$/, fetchTransaction],
    ['GET', /^\/transaction$/, (call) => listTransactions(transactions, call, reading(), now())],
    ['GET', /^\/refund$/, (call) => listRefunds(transactions, call, reading())],
  ];
};

/** Simulates payment accounts and transactions (providers.md sections 1.3 and 1.4). */
export const paystackPayments = (
  ledger: Ledger,
  nextId: () => number,
  ensureCustomer: (customer: { email: string }) => PaystackCustomer,
  reading: () => PaystackReading,
  now: () => number,
) => {
  const transactions: PaystackTransaction[] = [];

  const createCharge = ({ body }: Call): Answer => {
    const parsed = newCharge.safeParse(body);
    if (parsed.error?.issues.some(({ path }) => path[0] === 'amount')) {
      return paystackError(400, 'Invalid Amount Sent', { type: 'validation_error', code: 'invalid_amount' });
    }
    if (!parsed.success) return invalidParams();
    const id = nextId();
    const { email, amount, bank_transfer, reference = `simulator-${id}` } = parsed.data;
    if (transactions.some((candidate) => candidate.reference === reference)) {
      return paystackError(400, 'Duplicate Transaction Reference');
    }
    const expiresAt = bank_transfer.account_expires_at ? Date.parse(bank_transfer.account_expires_at) : null;
    const charge = { id, reference, amount, expiresAt };
    const transaction = openTransaction(ledger, charge, ensureCustomer({ email }), now());
    transactions.push(transaction);
    return paystackSuccess('Charge attempted', chargeView(transaction));
  };

  const routes: readonly Route[] = [['POST', /^\/charge$/, createCharge], ...readRoutes(transactions, reading, now)];
  return {
    routes,
    /** Finds the payment of an account. */
    findByAccount: (account: Account): PaystackTransaction | undefined =>
      transactions.find((transaction) => transaction.account === account),
    /** Finds the payment that a transfer paid. */
    findByTransfer: (transferId: string): PaystackTransaction | undefined =>
      transactions.find((transaction) => transaction.paidBy?.transferId === transferId),
    /** Adds the transaction of a transfer into a static account. */
    addTransfer: (account: Account, customer: PaystackCustomer, incoming: Incoming): PaystackTransaction => {
      const transaction = creditTransaction(nextId(), account, customer, incoming);
      transactions.push(transaction);
      return transaction;
    },
  };
};
