import * as z from 'zod';
import { payerEmail } from '#shared/providers/common/simulator/email.ts';
import type { Account, Incoming, Ledger } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, parseNaira } from '#shared/providers/common/simulator/money.ts';
import type { Answer, Call, Route } from '#shared/providers/common/simulator/wire.ts';
import { lookUpRoutes, NO_TRANSACTION } from './look-ups.ts';
import type { MonnifyPreference } from './preferences.ts';
import {
  formatLagosTime,
  MERCHANT_NAME,
  type MonnifyReservation,
  monnifyError,
  monnifySuccess,
  paymentAccountView,
} from './shapes.ts';
import type { MonnifyTransaction } from './transaction.ts';

const PAYMENT_SECONDS = 2_400;
const MIN_NAIRA = 20;

const newPayment = z.object({
  amount: z.number().min(MIN_NAIRA),
  customerEmail: payerEmail,
  customerName: z.string().default(''),
  paymentReference: z.string().min(1),
  paymentDescription: z.string().default(''),
  currencyCode: z.literal('NGN'),
  contractCode: z.string(),
});

const secondStep = z.object({ transactionReference: z.string() });

type Merchant = { readonly apiKey: string; readonly contractCode: string };

/** Builds Monnify's reference of the nth transaction. The date in it is in Lagos time. */
const buildReference = (number: number, now: number): string => {
  const date = formatLagosTime(now).replace(/\D/g, '').slice(0, 14);
  return `MNFY|04|${date}|${String(number).padStart(6, '0')}`;
};

/** Creates a transaction that the merchant requested. The second step gives the transaction an account. */
const openTransaction = (
  request: z.infer<typeof newPayment>,
  amount: Kobo,
  reference: string,
  now: number,
): MonnifyTransaction => ({
  transactionReference: reference,
  paymentReference: request.paymentReference,
  product: { type: 'API_NOTIFICATION', reference: request.paymentReference },
  amount,
  customer: { name: request.customerName, email: request.customerEmail },
  description: request.paymentDescription,
  createdAt: now,
  account: null,
  paidBy: null,
  isReversed: false,
  refunded: 0,
});

/** Creates the transaction of a transfer into a static account. */
const creditTransaction = (
  account: Account,
  reservation: MonnifyReservation,
  incoming: Incoming,
  reference: string,
): MonnifyTransaction => ({
  transactionReference: reference,
  // Monnify's own reference twice, because the merchant gave this payment none.
  paymentReference: reference,
  product: { type: 'RESERVED_ACCOUNT', reference: account.reference },
  amount: incoming.amount,
  customer: reservation.customer,
  description: reservation.accountName,
  createdAt: incoming.paidAt,
  account,
  paidBy: incoming,
  isReversed: false,
  refunded: 0,
});

/** Handles the first step, which opens a transaction. */
const initialise = (
  transactions: MonnifyTransaction[],
  { apiKey, contractCode }: Merchant,
  { body }: Call,
  now: number,
): Answer => {
  const parsed = newPayment.safeParse(body);
  const amount = parsed.success ? parseNaira(parsed.data.amount) : undefined;
  const isWrong = (field: string) => parsed.error?.issues.some(({ path }) => path[0] === field);
  // The messages of these errors are not documented.
  if (isWrong('amount')) return monnifyError(400, 'Invalid amount');
  if (isWrong('customerEmail')) return monnifyError(400, 'Invalid customer email');
  if (!parsed.success || amount === undefined) return monnifyError(400, 'Invalid request');
  const request = parsed.data;
  if (request.contractCode !== contractCode) return monnifyError(404, 'Invalid contract code');
  if (transactions.some((candidate) => candidate.paymentReference === request.paymentReference)) {
    return monnifyError(422, 'Duplicate payment reference');
  }
  const transaction = openTransaction(request, amount, buildReference(transactions.length + 1, now), now);
  transactions.push(transaction);
  return monnifySuccess({
    transactionReference: transaction.transactionReference,
    paymentReference: transaction.paymentReference,
    merchantName: MERCHANT_NAME,
    apiKey,
    enabledPaymentMethod: ['ACCOUNT_TRANSFER'],
    checkoutUrl: 'https://checkout.example/simulator',
  });
};

const ensureAccount = (ledger: Ledger, transaction: MonnifyTransaction, now: number): Account => {
  const expiresAt = now + PAYMENT_SECONDS * 1000;
  const { account } = transaction;
  // The number may meanwhile belong to another payment.
  if (account && ledger.findByNumber(account.number) === account) {
    account.expiresAt = expiresAt;
    return account;
  }
  return ledger.open({
    provider: 'monnify',
    kind: 'payment',
    reference: transaction.paymentReference,
    name: `${MERCHANT_NAME}-${transaction.description}`,
    bankName: 'Sterling bank',
    bankCode: '232',
    toPay: transaction.amount,
    expiresAt,
  });
};

/**
 * Handles the second step, which opens the account. Monnify does not document a repeated second step. Here the account stays and gets a new
 * expiry, unless another payment has its number now.
 */
const initialiseTransfer = (
  transactions: readonly MonnifyTransaction[],
  ledger: Ledger,
  { body }: Call,
  { now, bankCodes }: { readonly now: number; readonly bankCodes: MonnifyPreference['bankCodes'] },
): Answer => {
  const parsed = secondStep.safeParse(body);
  const transaction = transactions.find(
    (candidate) => candidate.transactionReference === parsed.data?.transactionReference,
  );
  if (!transaction) return NO_TRANSACTION;
  if (transaction.paidBy) return monnifyError(400, 'Transaction already completed');
  transaction.account = ensureAccount(ledger, transaction, now);
  const view = paymentAccountView(transaction, transaction.account, { seconds: PAYMENT_SECONDS, now, bankCodes });
  return monnifySuccess(view);
};

/** Simulates payment accounts and transactions (providers.md sections 2.3 and 2.4). */
export const monnifyPayments = (
  ledger: Ledger,
  merchant: Merchant,
  preference: () => MonnifyPreference,
  now: () => number,
) => {
  const transactions: MonnifyTransaction[] = [];

  const routes: readonly Route[] = [
    ...lookUpRoutes(transactions, () => ({ now: now(), preference: preference() })),
    [
      'POST',
      /^\/api\/v1\/merchant\/transactions\/init-transaction$/,
      (call) => initialise(transactions, merchant, call, now()),
    ],
    [
      'POST',
      /^\/api\/v1\/merchant\/bank-transfer\/init-payment$/,
      (call) => initialiseTransfer(transactions, ledger, call, { now: now(), bankCodes: preference().bankCodes }),
    ],
  ];
  return {
    routes,
    /** Finds the payment of an account. */
    findByAccount: (account: Account): MonnifyTransaction | undefined =>
      transactions.find((transaction) => transaction.account === account),
    /** Finds the payment that a transfer paid. */
    findByTransfer: (transferId: string): MonnifyTransaction | undefined =>
      transactions.find((transaction) => transaction.paidBy?.transferId === transferId),
    /** Adds the transaction of a transfer into a static account. */
    addTransfer: (account: Account, reservation: MonnifyReservation, incoming: Incoming): MonnifyTransaction => {
      const reference = buildReference(transactions.length + 1, now());
      const transaction = creditTransaction(account, reservation, incoming, reference);
      transactions.push(transaction);
      return transaction;
    },
  };
};
