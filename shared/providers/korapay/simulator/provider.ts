import { type Account, hasExpired, type Incoming } from '#shared/providers/common/simulator/ledger.ts';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';
import {
  type Decision,
  RETURNED,
  type SimulatedProvider,
  type SimulatorParts,
} from '#shared/providers/common/simulator/provider.ts';
import { routeCall } from '#shared/providers/common/simulator/wire.ts';
import { korapayAccounts } from './accounts.ts';
import { korapayCharges } from './charges.ts';
import { korapayError } from './envelope.ts';
import { paymentCredit, refundNotification, staticCredit } from './notifications.ts';
import type { KorapayPreference } from './preference.ts';
import { sandboxRoutes } from './sandbox.ts';

/** How much of a transfer Korapay keeps, and whether it pays the charge (providers.md section 3.6). */
const decide = (
  expected: Kobo,
  sent: Kobo,
  { over, under }: KorapayPreference,
): { keptAmount: Kobo; paid: boolean } => {
  if (sent === expected) return { keptAmount: sent, paid: true };
  if (sent < expected)
    return under === 'accept_all' ? { keptAmount: sent, paid: true } : { keptAmount: 0, paid: false };
  if (over === 'return_all') return { keptAmount: 0, paid: false };
  return { keptAmount: over === 'return_excess' ? expected : sent, paid: true };
};

/** Korapay as providers.md section 3 describes it. Amounts on the wire are naira. */
export const playKorapay = (
  { ledger, preference, now }: SimulatorParts<KorapayPreference>,
  secretKey: string,
): SimulatedProvider => {
  const accounts = korapayAccounts(ledger, now);
  const charges = korapayCharges(ledger, preference, now);
  let refunds = 0;
  const unauthorised = () => korapayError(401, 'Invalid authorization key');

  const creditStatic = (account: Account, incoming: Incoming): Decision => {
    const charge = charges.addCredit(account, incoming);
    return {
      id: charge.reference,
      keptAmount: incoming.amount,
      notification: staticCredit(charge, incoming, secretKey),
    };
  };
  // What Korapay does with late money and with a second payment is not documented: here it is returned without a notification.
  const creditPayment = (account: Account, incoming: Incoming): Decision => {
    const charge = charges.findByAccount(account);
    if (!charge || charge.succeeded || hasExpired(account, incoming.paidAt)) return RETURNED;
    const { keptAmount, paid } = decide(charge.expected, incoming.amount, preference());
    charge.parts.push({ incoming, accepted: keptAmount });
    charge.succeeded = paid;
    // Money that is returned whole shows in look-ups only.
    const notification = paid ? paymentCredit(charge, secretKey, preference()) : null;
    return { id: keptAmount > 0 ? charge.reference : null, keptAmount, notification };
  };

  return {
    serve: (call) => {
      if (call.headers.authorization !== `Bearer ${secretKey}`) return unauthorised();
      // The charges come first: one of their paths also matches the route of an account.
      return (
        routeCall([...charges.routes, ...sandboxRoutes(ledger), ...accounts.routes], call) ??
        korapayError(404, 'Not found')
      );
    },
    receive: (account, incoming) =>
      account.kind === 'static' ? creditStatic(account, incoming) : creditPayment(account, incoming),
    // How a look-up shows a later reversal is not documented: here by the status, or by `reversal` and the amounts of a success.
    reverse: (transferId) => {
      const charge = charges.findByTransfer(transferId);
      if (charge) charge.reversed = preference().reversalBy;
      return null;
    },
    refund: (transferId, amount, stage) => {
      const charge = charges.findByTransfer(transferId);
      // Korapay notifies of refunds that have ended, one way or the other.
      if (!charge || (stage !== 'processed' && stage !== 'failed')) return null;
      refunds += 1;
      const status = stage === 'processed' ? 'success' : 'failed';
      const refund = {
        reference: `RFD-${String(refunds).padStart(6, '0')}`,
        amount,
        status,
        refundedAt: now(),
      } as const;
      charge.refunds.push(refund);
      return refundNotification(charge, refund, secretKey, preference());
    },
    reinstate: (transferId) => {
      const charge = charges.findByTransfer(transferId);
      if (charge) charge.reversed = null;
    },
    // Korapay's own example (its page on over- and underpayments) counts returned excess as accepted, however the return ends.
    returnExcess: (transferId, status) => {
      const charge = charges.findByTransfer(transferId);
      const paid = charge?.parts.find(({ incoming }) => incoming.transferId === transferId)?.incoming.amount ?? 0;
      if (!charge || charge.account.kind === 'static' || paid <= charge.expected)
        throw new Error('The transfer was not more than the charge expects.');
      charge.excess = status;
      return status === 'failed' ? paid : charge.expected;
    },
    unauthorised,
    rateLimited: korapayError(429, 'Too many requests'),
    serverFault: korapayError(500, 'An error occurred while processing your request'),
  };
};
