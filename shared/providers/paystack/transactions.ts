import { subtractKobo } from '#shared/platform/kernel/money.ts';
import { type Finding, findInAnySpelling } from '#shared/providers/common/spelling.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { PaymentReport, ReportedTransfer } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { isTransferChannel } from './channels.ts';
import type { PaystackCall } from './client.ts';
import { refundedOf } from './refunds.ts';
import { dataOf, isUnknownReference } from './reply.ts';
import { isVirtual, type Transaction, transaction, transferOf } from './transaction.ts';

/** No money for us; the payment may still come. */
const NOTHING: PaymentReport = { money: [], state: 'open' };
/** A payment that is no transfer, which does not concern us. */
const NO_TRANSFER: PaymentReport = { money: [], state: 'complete' };

/** Looks up a payment by its reference (providers.md section 1.4). Throws ProviderRefusal, OutcomeUnknown and ProviderUnavailable. */
export const transactions = (
  call: PaystackCall,
  { customerEmailDomain: domain }: { readonly customerEmailDomain: string },
): Pick<LiveProvider, 'lookUp'> => {
  /** A reversed transfer. It is not documented whether a refund of a part reads `reversed` too; if so, the rest is what Paystack keeps. */
  const reversedOf = async (found: Transaction): Promise<ReportedTransfer> => {
    const reversed = transferOf(found, 'reversed', domain);
    const refunded = await refundedOf(call, found.id);
    const { amount } = reversed;
    return refunded > 0 && refunded < amount
      ? { ...reversed, outcome: 'accepted', amount: subtractKobo(amount, refunded), leftOut: refunded }
      : reversed;
  };

  /** A charge that was paid is complete; a transfer to a virtual account is for none. */
  const stateOf = (found: Transaction): PaymentReport['state'] => (isVirtual(found) ? 'open' : 'complete');

  const reportOf = async (found: Transaction): Promise<PaymentReport> => {
    switch (found.status) {
      case 'success':
        return { money: [transferOf(found, 'accepted', domain)], state: stateOf(found) };
      case 'reversed': {
        const money = await reversedOf(found);
        return { money: [money], state: money.outcome === 'accepted' ? stateOf(found) : 'open' };
      }
      default:
        // `abandoned` only means that nobody has paid yet. Whether a charge can still be paid after `failed`, which a wrong amount may cause,
        // is not confirmed. The account's expiry ends the checkout.
        return NOTHING;
    }
  };

  const finding: Finding<Transaction> = {
    find: async ({ value }) => {
      const reply = await call({ method: 'GET', path: `/transaction/verify/${encodeURIComponent(value)}` });
      return !reply.ok && isUnknownReference(reply) ? 'unknown' : dataOf(reply, transaction);
    },
    idOf: ({ id }) => id,
    referenceOf: ({ reference }) => reference,
  };

  return {
    lookUp: async ({ by, value }) => {
      const asked = await findInAnySpelling(finding, { by, value });
      if (asked === 'unknown') return asked;
      const found = { ...asked.found, reference: asked.reference ?? asked.found.reference };
      if (by !== 'transaction' || isTransferChannel(found.channel)) return reportOf(found);
      if (found.channel === '') throw new OutcomeUnknown('Paystack does not say how the money came.');
      return NO_TRANSFER;
    },
  };
};
