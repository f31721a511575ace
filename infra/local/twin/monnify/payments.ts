import * as z from 'zod';
import type { Account, Incoming, Ledger } from '#infra/local/twin/ledger.ts';
import { koboOfNaira } from '#infra/local/twin/money.ts';
import { type Answer, type Call, pageOf, type Route } from '#infra/local/twin/wire.ts';
import {
  lagos,
  type MonnifyReservation,
  type MonnifyTransaction,
  monnifyError,
  monnifySuccess,
  paymentAccountView,
  searchView,
  statusOf,
  transactionView,
} from './shapes.ts';

const PAYMENT_SECONDS = 2_400;
const MIN_NAIRA = 20;

const newPayment = z.object({
  amount: z.number().min(MIN_NAIRA),
  customerEmail: z.email(),
  customerName: z.string().default(''),
  paymentReference: z.string().min(1),
  paymentDescription: z.string().default(''),
  currencyCode: z.literal('NGN'),
  contractCode: z.string(),
});

const secondStep = z.object({ transactionReference: z.string() });

const NO_TRANSACTION = monnifyError(404, 'Could not find transaction with the specified reference');

/** Payment accounts and transactions (providers.md sections 2.3 and 2.4). */
export const monnifyPayments = (
  ledger: Ledger,
  { apiKey, contractCode }: { readonly apiKey: string; readonly contractCode: string },
  now: () => number,
) => {
  const transactions: MonnifyTransaction[] = [];

  // Pipes must be encoded in a path. The date is Lagos time.
  const newReference = (): string => {
    const date = lagos(now()).replace(/\D/g, '').slice(0, 14);
    return `MNFY|04|${date}|${String(transactions.length + 1).padStart(6, '0')}`;
  };

  const initialise = ({ body }: Call) => {
    const parsed = newPayment.safeParse(body);
    const amount = parsed.success ? koboOfNaira(parsed.data.amount) : undefined;
    // The message of this refusal is not documented.
    if (parsed.error?.issues.some(({ path }) => path[0] === 'amount')) return monnifyError(400, 'Invalid amount');
    if (!parsed.success || amount === undefined) return monnifyError(400, 'Invalid request');
    const given = parsed.data;
    if (given.contractCode !== contractCode) return monnifyError(404, 'Invalid contract code');
    if (transactions.some((one) => one.paymentReference === given.paymentReference)) {
      return monnifyError(422, 'Duplicate payment reference');
    }
    const transaction: MonnifyTransaction = {
      transactionReference: newReference(),
      paymentReference: given.paymentReference,
      product: { type: 'API_NOTIFICATION', reference: given.paymentReference },
      amount,
      customer: { name: given.customerName, email: given.customerEmail },
      description: given.paymentDescription,
      createdAt: now(),
      account: null,
      paidBy: null,
      reversed: false,
    };
    transactions.push(transaction);
    return monnifySuccess({
      transactionReference: transaction.transactionReference,
      paymentReference: transaction.paymentReference,
      merchantName: 'Twinshop',
      apiKey,
      enabledPaymentMethod: ['ACCOUNT_TRANSFER'],
      checkoutUrl: 'https://checkout.example/twin',
    });
  };
  const paymentAccount = (transaction: MonnifyTransaction): Account => {
    const expiresAt = now() + PAYMENT_SECONDS * 1000;
    const held = transaction.account;
    // Its number may belong to another payment by now.
    if (held && ledger.holder(held.number) === held) {
      held.expiresAt = expiresAt;
      return held;
    }
    return ledger.open({
      provider: 'monnify',
      kind: 'payment',
      reference: transaction.paymentReference,
      name: `Twinshop-${transaction.description}`,
      bankName: 'Sterling bank',
      bankCode: '232',
      toPay: transaction.amount,
      expiresAt,
    });
  };
  // What a repeated second step does is not documented: here the account stays and gets a new expiry.
  const initialiseTransfer = ({ body }: Call) => {
    const given = secondStep.safeParse(body);
    const transaction = transactions.find((one) => one.transactionReference === given.data?.transactionReference);
    if (!transaction) return NO_TRANSACTION;
    if (transaction.paidBy) return monnifyError(400, 'Transaction already completed');
    transaction.account = paymentAccount(transaction);
    return monnifySuccess(paymentAccountView(transaction, transaction.account, PAYMENT_SECONDS, now()));
  };

  const lookUpAnswer = (transaction: MonnifyTransaction | undefined) =>
    transaction ? monnifySuccess(transactionView(transaction, now())) : NO_TRANSACTION;
  const query = ({ query: params }: Call) =>
    lookUpAnswer(
      transactions.find((one) =>
        params.has('transactionReference')
          ? one.transactionReference === params.get('transactionReference')
          : one.paymentReference === params.get('paymentReference'),
      ),
    );
  const fetchTransaction = ({ path }: Call, reference: string) =>
    path.includes('|')
      ? monnifyError(400, 'Invalid request')
      : lookUpAnswer(transactions.find((one) => one.transactionReference === reference));
  const paged = (all: readonly unknown[], params: URLSearchParams): Answer => {
    const [number, size] = [Number(params.get('page') ?? 0), Number(params.get('size') ?? 10)];
    if (!(number >= 0 && size >= 1 && size <= 100)) return monnifyError(400, 'Invalid request');
    const { items, total, pages } = pageOf(all, number * size, size);
    const position = { totalElements: total, totalPages: pages, number, size };
    return monnifySuccess({ content: items, ...position, first: number === 0, last: number >= pages - 1 });
  };
  const search = ({ query: params }: Call) => {
    const [from, to] = [Number(params.get('from') ?? 0), Number(params.get('to') ?? Number.MAX_SAFE_INTEGER)];
    const [status, reference] = [params.get('paymentStatus'), params.get('paymentReference')];
    const found = transactions
      .filter(({ createdAt }) => createdAt >= from && createdAt <= to)
      .filter((one) => status === null || statusOf(one, now()) === status)
      .filter((one) => reference === null || one.paymentReference === reference);
    return paged(found.map((one) => searchView(one, now())).toReversed(), params);
  };
  const transactionsOf = ({ query: params }: Call) => {
    const reference = params.get('accountReference');
    const own = transactions.filter(
      ({ product }) => product.type === 'RESERVED_ACCOUNT' && product.reference === reference,
    );
    return paged(own.map((one) => searchView(one, now())).toReversed(), params);
  };

  const routes: readonly Route[] = [
    ['GET', /^\/api\/v1\/bank-transfer\/reserved-accounts\/transactions$/, transactionsOf],
    ['POST', /^\/api\/v1\/merchant\/transactions\/init-transaction$/, initialise],
    ['POST', /^\/api\/v1\/merchant\/bank-transfer\/init-payment$/, initialiseTransfer],
    ['GET', /^\/api\/v2\/merchant\/transactions\/query$/, query],
    ['GET', /^\/api\/v2\/transactions\/([^/]+)$/, fetchTransaction],
    ['GET', /^\/api\/v1\/transactions\/search$/, search],
  ];
  return {
    routes,
    /** The payment that an account was opened for. */
    paymentOf: (account: Account): MonnifyTransaction | undefined =>
      transactions.find((one) => one.account === account),
    /** The payment that a transfer paid. */
    paidBy: (transferId: string): MonnifyTransaction | undefined =>
      transactions.find((one) => one.paidBy?.transferId === transferId),
    /** A transfer into a static account is a transaction of its own. */
    addCredit: (account: Account, reservation: MonnifyReservation, incoming: Incoming): MonnifyTransaction => {
      const reference = newReference();
      const transaction: MonnifyTransaction = {
        transactionReference: reference,
        // Monnify's own twice: the merchant never named this payment.
        paymentReference: reference,
        product: { type: 'RESERVED_ACCOUNT', reference: account.reference },
        amount: incoming.amount,
        customer: reservation.customer,
        description: reservation.accountName,
        createdAt: incoming.paidAt,
        account,
        paidBy: incoming,
        reversed: false,
      };
      transactions.push(transaction);
      return transaction;
    },
  };
};
