import { randomUUID } from 'node:crypto';
import { type Account, hasExpired, type Incoming } from '#shared/providers/common/simulator/ledger.ts';
import {
  type Decision,
  RETURNED,
  type SimulatedProvider,
  type SimulatorParts,
} from '#shared/providers/common/simulator/provider.ts';
import { type Answer, type Call, routeCall } from '#shared/providers/common/simulator/wire.ts';
import { monnifyAccounts } from './accounts.ts';
import { refundNotification, rejectedPayment, successfulTransaction } from './notifications.ts';
import { monnifyPayments } from './payments.ts';
import type { MonnifyPreference } from './preferences.ts';
import { INVALID_TOKEN, monnifyError, monnifySuccess } from './shapes.ts';
import type { MonnifyTransaction } from './transaction.ts';

const TOKEN_SECONDS = 3_600;

/** Simulates logins and their tokens. */
const newTokens = (basic: string, now: () => number) => {
  /** The end of each token, in milliseconds since the epoch. */
  const tokens = new Map<string, number>();
  return {
    login: ({ headers }: Call): Answer => {
      if (headers.authorization !== basic) return monnifyError(401, 'Invalid credentials');
      // It begins like a JSON Web Token, so that the tests that search logs for secrets recognise it.
      const accessToken = `eyJhbGciOiJIUzI1NiJ9.${randomUUID()}`;
      tokens.set(accessToken, now() + TOKEN_SECONDS * 1000);
      return monnifySuccess({ accessToken, expiresIn: TOKEN_SECONDS });
    },
    isValid: ({ headers }: Call): boolean =>
      (tokens.get((headers.authorization ?? '').replace(/^Bearer /, '')) ?? 0) > now(),
    /** Ends all tokens. */
    clear: (): void => tokens.clear(),
  };
};

/** Simulates Monnify as described in providers.md section 2. Its amounts are in naira: numbers in requests, texts in look-ups. */
export const playMonnify = (
  { ledger, preference, now }: SimulatorParts<MonnifyPreference>,
  merchant: { readonly apiKey: string; readonly secretKey: string; readonly contractCode: string },
): SimulatedProvider => {
  const { apiKey, secretKey } = merchant;
  const tokens = newTokens(`Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`, now);
  const accounts = monnifyAccounts(ledger, merchant.contractCode, preference, now);
  const payments = monnifyPayments(ledger, merchant, preference, now);

  const signingContext = { secret: secretKey, preference };
  let refunds = 0;

  const acceptTransfer = (transaction: MonnifyTransaction, account: Account, incoming: Incoming): Decision => ({
    id: transaction.transactionReference,
    keptAmount: incoming.amount,
    notification: successfulTransaction(transaction, account, incoming, signingContext),
  });
  const creditStatic = (account: Account, incoming: Incoming): Decision => {
    const reservation = accounts.findByAccount(account);
    if (!reservation) return RETURNED;
    const transaction = payments.addTransfer(account, reservation, incoming);
    return acceptTransfer(transaction, account, incoming);
  };
  // Late money and a second payment are returned without a notification. The merchant's setting decides about a wrong amount (providers.md
  // section 2.6).
  const creditPayment = (account: Account, incoming: Incoming): Decision => {
    const transaction = payments.findByAccount(account);
    if (!transaction || transaction.paidBy || hasExpired(account, incoming.paidAt)) return RETURNED;
    if (incoming.amount !== transaction.amount && preference().wrongAmounts === 'reject') {
      return { id: null, keptAmount: 0, notification: rejectedPayment(transaction, account, incoming, signingContext) };
    }
    transaction.paidBy = incoming;
    return acceptTransfer(transaction, account, incoming);
  };

  return {
    serve: (call) => {
      if (call.method === 'POST' && call.path === '/api/v1/auth/login') return tokens.login(call);
      if (!tokens.isValid(call)) return INVALID_TOKEN;
      return routeCall([...accounts.routes, ...payments.routes], call) ?? monnifyError(404, 'Not found');
    },
    receive: (account, incoming) =>
      account.kind === 'static' ? creditStatic(account, incoming) : creditPayment(account, incoming),
    // No event of a reversal is documented: only look-ups show it.
    reverse: (transferId) => {
      const transaction = payments.findByTransfer(transferId);
      if (transaction) transaction.isReversed = true;
      return null;
    },
    reinstate: (transferId) => {
      const transaction = payments.findByTransfer(transferId);
      if (transaction) Object.assign(transaction, { isReversed: false, refunded: 0 });
    },
    refund: (transferId, amount, stage) => {
      const transaction = payments.findByTransfer(transferId);
      if (!transaction) throw new Error('Monnify has no payment for this transfer.');
      // Monnify notifies only of refunds that have succeeded or failed.
      if (stage !== 'processed' && stage !== 'failed') return null;
      const isPaidOut = stage === 'processed';
      if (isPaidOut) transaction.refunded += amount;
      refunds += 1;
      const reference = `RF-${String(refunds).padStart(6, '0')}`;
      return refundNotification(transaction, { reference, amount, createdAt: now(), isPaidOut }, secretKey);
    },
    unauthorised: () => {
      tokens.clear();
      return INVALID_TOKEN;
    },
    rateLimited: monnifyError(429, 'Too many requests'),
    serverFault: monnifyError(500, 'An error occurred while processing your request'),
  };
};
