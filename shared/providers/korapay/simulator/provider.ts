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

/** Decides how much of a transfer Korapay keeps, and whether the charge is paid then (providers.md section 3.6). */
const decideOnAmount = (
  expected: Kobo,
  sent: Kobo,
  { over, under }: KorapayPreference,
): { keptAmount: Kobo; isPaid: boolean } => {
  if (sent === expected) return { keptAmount: sent, isPaid: true };
  if (sent < expected)
    return under === 'accept_all' ? { keptAmount: sent, isPaid: true } : { keptAmount: 0, isPaid: false };
  if (over === 'return_all') return { keptAmount: 0, isPaid: false };
  return { keptAmount: over === 'return_excess' ? expected : sent, isPaid: true };
};

/** Simulates Korapay as described in providers.md section 3. Its requests and answers are in naira. */
export const playKorapay = (
  { ledger, preference, now }: SimulatorParts<KorapayPreference>,
  secretKey: string,
): SimulatedProvider => {
  const accounts = korapayAccounts(ledger, now);
  const charges = korapayCharges(ledger, preference, now);
  let refundCount = 0;
  const unauthorised = () => korapayError(401, 'Invalid authorization key');

  const creditStatic = (account: Account, incoming: Incoming): Decision => {
    const charge = charges.addTransfer(account, incoming);
    return {
      id: charge.reference,
      keptAmount: incoming.amount,
      notification: staticCredit(charge, incoming, secretKey),
    };
  };
  // Korapay does not document its handling of late money and second payments. Here they are returned without a notification.
  const creditPayment = (account: Account, incoming: Incoming): Decision => {
    const charge = charges.findByAccount(account);
    if (!charge || charge.hasSucceeded || hasExpired(account, incoming.paidAt)) return RETURNED;
    const { keptAmount, isPaid } = decideOnAmount(charge.expected, incoming.amount, preference());
    charge.parts.push({ incoming, accepted: keptAmount });
    charge.hasSucceeded = isPaid;
    // Only look-ups show money that is returned as a whole.
    const notification = isPaid ? paymentCredit(charge, secretKey, preference()) : null;
    return { id: keptAmount > 0 ? charge.reference : null, keptAmount, notification };
  };

  return {
    serve: (call) => {
      if (call.headers.authorization !== `Bearer ${secretKey}`) return unauthorised();
      // The charges come first, because one of their paths also matches an account's route.
      return (
        routeCall([...charges.routes, ...sandboxRoutes(ledger), ...accounts.routes], call) ??
        korapayError(404, 'Not found')
      );
    },
    receive: (account, incoming) =>
      account.kind === 'static' ? creditStatic(account, incoming) : creditPayment(account, incoming),
    // Korapay does not document how a look-up shows a later reversal. Here the preference `reversalBy` decides: the status shows it, or the status
    // stays `success`, and the amounts and `reversal` show it.
    reverse: (transferId) => {
      const charge = charges.findByTransfer(transferId);
      if (charge) charge.reversed = preference().reversalBy;
      return null;
    },
    refund: (transferId, amount, stage) => {
      const charge = charges.findByTransfer(transferId);
      // Korapay notifies only of refunds that have succeeded or failed.
      if (!charge || (stage !== 'processed' && stage !== 'failed')) return null;
      refundCount += 1;
      const status = stage === 'processed' ? 'success' : 'failed';
      const refund = {
        reference: `RFD-${String(refundCount).padStart(6, '0')}`,
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
    // The accepted amount of the part stays as it is: in Korapay's own example (its page on over- and underpayments) the returned excess counts
    // as accepted, no matter how the return ends.
    returnExcess: (transferId, status) => {
      const charge = charges.findByTransfer(transferId);
      const paid = charge?.parts.find(({ incoming }) => incoming.transferId === transferId)?.incoming.amount ?? 0;
      if (!charge || charge.account.kind === 'static' || paid <= charge.expected)
        throw new Error('The transfer has no excess: it is not higher than the expected amount.');
      charge.excess = status;
      return status === 'failed' ? paid : charge.expected;
    },
    unauthorised,
    rateLimited: korapayError(429, 'Too many requests'),
    serverFault: korapayError(500, 'An error occurred while processing your request'),
  };
};
