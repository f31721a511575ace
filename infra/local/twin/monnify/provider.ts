import { randomUUID } from 'node:crypto';
import { type Account, hasExpired, type Incoming, type Ledger } from '#infra/local/twin/ledger.ts';
import { type Decision, type PlayedProvider, RETURNED } from '#infra/local/twin/provider.ts';
import { type Answer, type Call, routed } from '#infra/local/twin/wire.ts';
import { monnifyAccounts } from './accounts.ts';
import { rejectedPayment, successfulTransaction } from './notifications.ts';
import { monnifyPayments } from './payments.ts';
import { INVALID_TOKEN, type MonnifyTransaction, monnifyError, monnifySuccess } from './shapes.ts';

/** What Monnify does with a wrong amount for one payment: a setting of the merchant's. */
export type MonnifyPreference = 'reject' | 'accept';

const TOKEN_SECONDS = 3_600;

/** Logins and the tokens that they give. */
const newTokens = (basic: string, now: () => number) => {
  /** When each token ends, in milliseconds since the epoch. */
  const tokens = new Map<string, number>();
  return {
    login: ({ headers }: Call): Answer => {
      if (headers.authorization !== basic) return monnifyError(401, 'Invalid credentials');
      // Begins as JSON Web Tokens do, so that the tests that search logs for secrets recognise it.
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

/** Monnify as providers.md section 2 describes it. Amounts on the wire are naira: numbers in requests, texts in look-ups. */
export const playMonnify = (
  ledger: Ledger,
  merchant: { readonly apiKey: string; readonly secretKey: string; readonly contractCode: string },
  preference: () => MonnifyPreference,
  now: () => number,
): PlayedProvider => {
  const { apiKey, secretKey } = merchant;
  const tokens = newTokens(`Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`, now);
  const accounts = monnifyAccounts(ledger, merchant.contractCode, now);
  const payments = monnifyPayments(ledger, merchant, now);

  const credited = (transaction: MonnifyTransaction, account: Account, incoming: Incoming): Decision => ({
    id: transaction.transactionReference,
    kept: incoming.amount,
    notification: successfulTransaction(transaction, account, incoming, secretKey),
  });
  const creditStatic = (account: Account, incoming: Incoming): Decision => {
    const reservation = accounts.reservationOf(account);
    if (!reservation) return RETURNED;
    const transaction = payments.addCredit(account, reservation, incoming);
    return credited(transaction, account, incoming);
  };
  // providers.md section 2.6: late money and a second payment are returned without a notification; a wrong amount as the merchant's setting says.
  const creditPayment = (account: Account, incoming: Incoming): Decision => {
    const transaction = payments.paymentOf(account);
    if (!transaction || transaction.paidBy || hasExpired(account, incoming.paidAt)) return RETURNED;
    if (incoming.amount !== transaction.amount && preference() === 'reject') {
      return { id: null, kept: 0, notification: rejectedPayment(transaction, account, incoming, secretKey) };
    }
    transaction.paidBy = incoming;
    return credited(transaction, account, incoming);
  };

  return {
    serve: (call) => {
      if (call.method === 'POST' && call.path === '/api/v1/auth/login') return tokens.login(call);
      if (!tokens.isValid(call)) return INVALID_TOKEN;
      return routed([...accounts.routes, ...payments.routes], call) ?? monnifyError(404, 'Not found');
    },
    receive: (account, incoming) =>
      account.kind === 'static' ? creditStatic(account, incoming) : creditPayment(account, incoming),
    // No event is documented for a reversal: only look-ups show it.
    reverse: (transferId) => {
      const transaction = payments.paidBy(transferId);
      if (transaction) transaction.reversed = true;
      return null;
    },
    reinstate: (transferId) => {
      const transaction = payments.paidBy(transferId);
      if (transaction) transaction.reversed = false;
    },
    unauthorised: () => {
      tokens.clear();
      return INVALID_TOKEN;
    },
    rateLimited: monnifyError(429, 'Too many requests'),
    serverFault: monnifyError(500, 'An error occurred while processing your request'),
  };
};
