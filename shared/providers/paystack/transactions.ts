import { subtractKobo } from '#shared/platform/kernel/money.ts';
import { findInAnySpelling, type PaymentFinder } from '#shared/providers/common/spelling.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { PaymentReport, ReportedTransfer } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { isTransferChannel } from './channels.ts';
import type { PaystackCall } from './client.ts';
import { sumRefunds } from './refunds.ts';
import { isUnknownReference, requireData } from './reply.ts';
import { isVirtual, type Transaction, toTransfer, transaction } from './transaction.ts';

/** The report of a payment that has not been paid yet. */
const NOTHING: PaymentReport = { money: [], state: 'open' };
/** The report of a payment that is no transfer and does not concern us. */
const NO_TRANSFER: PaymentReport = { money: [], state: 'complete' };

/** Looks up a payment by its reference (providers.md section 1.4). @throws ProviderError, OutcomeUnknown, ProviderUnavailable. */
export const transactions = (
  call: PaystackCall,
  { customerEmailDomain: domain }: { readonly customerEmailDomain: string },
): Pick<LiveProvider, 'lookUp'> => {
  /** Reads a reversed transfer. A partly refunded transfer may have the same status (not documented): then Paystack keeps the rest. */
  const readReversed = async (payment: Transaction): Promise<ReportedTransfer> => {
    const reversed = toTransfer(payment, 'reversed', domain);
    const refunded = await sumRefunds(call, payment.id);
    const { amount } = reversed;
    return refunded > 0 && refunded < amount
      ? { ...reversed, outcome: 'accepted', amount: subtractKobo(amount, refunded), leftOut: refunded }
      : reversed;
  };

  /** Finds the state of a paid transaction: `complete` for a charge; `open` for a transfer to a virtual account, which belongs to no charge. */
  const findState = (payment: Transaction): PaymentReport['state'] => (isVirtual(payment) ? 'open' : 'complete');

  const toReport = async (payment: Transaction): Promise<PaymentReport> => {
    switch (payment.status) {
      case 'success':
        return { money: [toTransfer(payment, 'accepted', domain)], state: findState(payment) };
      case 'reversed': {
        const money = await readReversed(payment);
        return { money: [money], state: money.outcome === 'accepted' ? findState(payment) : 'open' };
      }
      default:
        // `abandoned` only means that nobody has paid yet. A wrong amount may cause `failed`, and it is not confirmed that the charge cannot be
        // paid afterwards. The account's expiry ends the checkout.
        return NOTHING;
    }
  };

  const finder: PaymentFinder<Transaction> = {
    find: async ({ value }) => {
      const reply = await call({ method: 'GET', path: `/transaction/verify/${encodeURIComponent(value)}` });
      return !reply.ok && isUnknownReference(reply) ? 'unknown' : requireData(reply, transaction);
    },
    readId: ({ id }) => id,
    readReference: ({ reference }) => reference,
  };

  return {
    lookUp: async ({ by, value }) => {
      const foundPayment = await findInAnySpelling(finder, { by, value });
      if (foundPayment === 'unknown') return foundPayment;
      const payment = { ...foundPayment.payment, reference: foundPayment.reference ?? foundPayment.payment.reference };
      if (by !== 'transaction' || isTransferChannel(payment.channel)) return toReport(payment);
      if (payment.channel === '') throw new OutcomeUnknown('The transaction has no channel.');
      return NO_TRANSFER;
    },
  };
};
