import { type Account, hasExpired, type Incoming } from '#shared/providers/common/simulator/ledger.ts';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';
import type { Notification } from '#shared/providers/common/simulator/provider.ts';
import {
  type Decision,
  RETURNED,
  type RefundStage,
  type SimulatedProvider,
  type SimulatorParts,
} from '#shared/providers/common/simulator/provider.ts';
import { routeCall } from '#shared/providers/common/simulator/wire.ts';
import { paystackAccounts } from './accounts.ts';
import { chargeSuccess, refundEvent, transferRejected } from './notifications.ts';
import { paystackPayments } from './payments.ts';
import type { PaystackReading } from './readings.ts';
import { paystackError } from './shapes.ts';
import { type PaystackTransaction, sumRefunded } from './transaction.ts';

/**
 * Simulates Paystack as described in providers.md section 1. `preference` decides the points that the section leaves open. Requests and answers
 * are in kobo.
 */
export const playPaystack = (
  { ledger, preference: reading, notify, now }: SimulatorParts<PaystackReading>,
  secretKey: string,
): SimulatedProvider => {
  let lastId = 7_454_000;
  const nextId = (): number => ++lastId;
  const accounts = paystackAccounts(ledger, nextId, now, { reading, notify, secretKey });
  const payments = paystackPayments(ledger, nextId, accounts.ensureCustomer, reading, now);
  const unauthorised = () => paystackError(401, 'Invalid key');

  const acceptTransfer = (transaction: PaystackTransaction): Decision => ({
    id: String(transaction.id),
    keptAmount: transaction.amount,
    notification: chargeSuccess(transaction, reading(), now(), secretKey),
  });
  const creditStatic = (account: Account, incoming: Incoming): Decision => {
    const customer = accounts.findCustomer(account);
    if (!customer) return RETURNED;
    const transaction = payments.addTransfer(account, customer, incoming);
    return acceptTransfer(transaction);
  };
  // Late money and a second payment are returned without a notification, a wrong amount with a special event (providers.md section 1.6).
  const creditPayment = (account: Account, incoming: Incoming): Decision => {
    const transaction = payments.findByAccount(account);
    if (!transaction || transaction.paidBy || hasExpired(account, incoming.paidAt)) return RETURNED;
    if (incoming.amount !== transaction.amount) {
      // Here no look-up finds this id. It is not confirmed whether a look-up at Paystack does (providers.md section 1.5).
      return {
        id: null,
        keptAmount: 0,
        notification: transferRejected(nextId(), incoming.amount, transaction.customer, secretKey),
      };
    }
    transaction.paidBy = incoming;
    return acceptTransfer(transaction);
  };

  const refund = (transaction: PaystackTransaction, amount: Kobo, stage: RefundStage): Notification => {
    const newRefund = { id: nextId(), amount, createdAt: now(), stage };
    transaction.refunds.push(newRefund);
    return refundEvent(transaction, newRefund, reading(), secretKey);
  };

  return {
    serve: (call) => {
      if (call.headers.authorization !== `Bearer ${secretKey}`) return unauthorised();
      return routeCall([...accounts.routes, ...payments.routes], call) ?? paystackError(404, 'Resource not found');
    },
    receive: (account, incoming) =>
      account.kind === 'static' ? creditStatic(account, incoming) : creditPayment(account, incoming),
    reverse: (transferId) => {
      const transaction = payments.findByTransfer(transferId);
      return transaction ? refund(transaction, transaction.amount - sumRefunded(transaction), 'processed') : null;
    },
    reinstate: (transferId) => {
      for (const entry of payments.findByTransfer(transferId)?.refunds ?? []) entry.stage = 'failed';
    },
    refund: (transferId, amount, stage) => {
      const transaction = payments.findByTransfer(transferId);
      return transaction ? refund(transaction, amount, stage) : null;
    },
    validate: accounts.validate,
    unauthorised,
    rateLimited: paystackError(429, 'Too many requests', { type: 'api_error', code: 'rate_limited' }),
    // Source: providers.md section 1.1.
    waitHeader: 'x-ratelimit-reset',
    serverFault: paystackError(500, 'An error occurred', { type: 'api_error', code: 'unknown' }),
  };
};
