import { type Account, hasExpired, type Incoming, type Ledger } from '#infra/local/twin/ledger.ts';
import { type Decision, type PlayedProvider, RETURNED } from '#infra/local/twin/provider.ts';
import { routed } from '#infra/local/twin/wire.ts';
import { paystackAccounts } from './accounts.ts';
import { chargeSuccess, refundProcessed, transferRejected } from './notifications.ts';
import { paystackPayments } from './payments.ts';
import { type PaystackTransaction, paystackError } from './shapes.ts';

/** Paystack as providers.md section 1 describes it. Amounts on the wire are kobo. */
export const playPaystack = (ledger: Ledger, secretKey: string, now: () => number): PlayedProvider => {
  let ids = 7_454_000;
  const nextId = (): number => ++ids;
  const accounts = paystackAccounts(ledger, nextId, now);
  const payments = paystackPayments(ledger, nextId, accounts.ensureCustomer, now);
  const unauthorised = () => paystackError(401, 'Invalid key');

  const credited = (transaction: PaystackTransaction): Decision => ({
    id: String(transaction.id),
    kept: transaction.amount,
    notification: chargeSuccess(transaction, now(), secretKey),
  });
  const creditStatic = (account: Account, incoming: Incoming): Decision => {
    const customer = accounts.holderOf(account);
    if (!customer) return RETURNED;
    const transaction = payments.addCredit(account, customer, incoming);
    return credited(transaction);
  };
  // providers.md section 1.6: late money and a second payment are returned without a notification, a wrong amount with an event of its own.
  const creditPayment = (account: Account, incoming: Incoming): Decision => {
    const transaction = payments.paymentOf(account);
    if (!transaction || transaction.paidBy || hasExpired(account, incoming.paidAt)) return RETURNED;
    if (incoming.amount !== transaction.amount) {
      // The id leads to nothing: whether it does at Paystack is not confirmed (providers.md section 1.5).
      return {
        id: null,
        kept: 0,
        notification: transferRejected(nextId(), incoming.amount, transaction.customer, secretKey),
      };
    }
    transaction.paidBy = incoming;
    return credited(transaction);
  };

  return {
    serve: (call) => {
      if (call.headers.authorization !== `Bearer ${secretKey}`) return unauthorised();
      return routed([...accounts.routes, ...payments.routes], call) ?? paystackError(404, 'Resource not found');
    },
    receive: (account, incoming) =>
      account.kind === 'static' ? creditStatic(account, incoming) : creditPayment(account, incoming),
    reverse: (transferId) => {
      const transaction = payments.paidBy(transferId);
      if (!transaction) return null;
      transaction.reversed = true;
      return refundProcessed(transaction, secretKey);
    },
    reinstate: (transferId) => {
      const transaction = payments.paidBy(transferId);
      if (transaction) transaction.reversed = false;
    },
    unauthorised,
    rateLimited: paystackError(429, 'Too many requests'),
    serverFault: paystackError(500, 'An error occurred', { type: 'api_error', code: 'unknown' }),
  };
};
