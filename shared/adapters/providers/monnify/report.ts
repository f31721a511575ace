import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { type Kobo, koboOwed, ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { PaymentReport, ReportedMoney } from '#shared/domain/money/report.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { MonnifySettings } from './description.ts';
import { lagosTime } from './lagos-time.ts';
import { RESERVED_ACCOUNT, senderOf, type Transaction } from './transaction.ts';

/** What a status says of money and of the payment as a whole. */
interface Meaning {
  readonly outcome: 'accepted' | 'reversed' | null;
  readonly state: PaymentReport['state'];
}

const PARTLY: Meaning = { outcome: 'accepted', state: 'open' };
const BACK: Meaning = { outcome: 'reversed', state: 'open' };

/**
 * No status is `failed`. Wrong and late transfers are bounced by the bank (providers.md section 2.6), but nothing published says that a
 * transaction which expired, was cancelled, abandoned or failed takes no transfer any more: a payer's may be on its way. The
 * checkout's own expiry ends it within minutes, whereas a wrong `failed` would be a final no to somebody who has paid.
 */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  PAID: { outcome: 'accepted', state: 'complete' },
  OVERPAID: { outcome: 'accepted', state: 'complete' },
  PARTIALLY_PAID: PARTLY,
  UNDERPAID: PARTLY,
  REVERSED: BACK,
  REFUNDED: BACK,
  PENDING: { outcome: null, state: 'open' },
  EXPIRED: { outcome: null, state: 'open' },
  CANCELLED: { outcome: null, state: 'open' },
  FAILED: { outcome: null, state: 'open' },
  ABANDONED: { outcome: null, state: 'open' },
};

const meaningOf = (status: string): Meaning | undefined =>
  Object.hasOwn(MEANINGS, status) ? MEANINGS[status] : undefined;

/** Whether the money of a transaction of this status was returned after it came in. */
export const isReturned = (status: string): boolean => meaningOf(status) === BACK;

/** Whether money came in under a transaction of this status, even if it went back later. */
export const hasMoney = (status: string): boolean => Boolean(meaningOf(status)?.outcome);

/** What a stage takes wrong amounts for (description.ts). */
export type WrongAmounts = Pick<MonnifySettings, 'wrongAmountsKeep'>;

/** What Monnify kept for itself; zero where it does not tell, or tells what is no amount. */
const feeOf = (paid: Kobo, settled: Transaction['settlementAmount']): Kobo => {
  if (settled === null || settled === undefined) return ZERO_KOBO;
  try {
    return koboOwed(paid, koboOfNaira(settled));
  } catch {
    return ZERO_KOBO;
  }
};

/** Milliseconds since the epoch; null where no time is told. Throws OutcomeUnknown for one that nobody can read. */
const paidAtOf = (paidOn: Transaction['paidOn']): Millis | null => {
  if (!paidOn) return null;
  const at = lagosTime(paidOn);
  if (at === undefined) throw new OutcomeUnknown('Monnify gave a time of payment that is none.');
  return at;
};

/** A virtual account's transaction is one transfer. Of a payment account, Monnify tells what came under its reference so far. */
const moneyOf = (of: Transaction, outcome: 'accepted' | 'reversed', kept: Transaction['amountPaid']): ReportedMoney => {
  if (of.currency && of.currency !== 'NGN') throw new OutcomeUnknown('Monnify reports another currency than naira.');
  const amount = koboOfNaira(kept ?? 0);
  if (outcome === 'accepted' && amount === 0) throw new OutcomeUnknown('Monnify calls a payment of nothing paid.');
  const common = {
    providerReference: of.transactionReference,
    fee: feeOf(amount, of.settlementAmount),
    paidAt: paidAtOf(of.paidOn),
    ...senderOf([...of.accountDetails, ...of.accountPayments].find(({ accountName }) => accountName)),
  };
  if (of.product?.type === RESERVED_ACCOUNT) {
    const payee = { by: 'our_reference', reference: of.product.reference } as const;
    return { kind: 'transfer', transferId: of.transactionReference, payee, amount, outcome, ...common };
  }
  // Transfers to virtual accounts have no payment reference of ours; without a product nobody can tell whose they are.
  if (!of.product && of.paymentReference === of.transactionReference) {
    throw new OutcomeUnknown('Monnify does not tell whom the payment is for.');
  }
  const payee = { by: 'our_reference', reference: of.paymentReference } as const;
  const [stays, returned] = outcome === 'accepted' ? [amount, ZERO_KOBO] : [ZERO_KOBO, amount];
  return { kind: 'running_total', payee, kept: stays, returned, ...common };
};

/**
 * What a transaction means to us (providers.md section 2.4). Throws OutcomeUnknown for a status that is not documented, and for money that nobody can read.
 */
export const reportOf = (of: Transaction, { wrongAmountsKeep }: WrongAmounts): PaymentReport => {
  const meaning = meaningOf(of.paymentStatus);
  if (!meaning) throw new OutcomeUnknown('Monnify gave an unknown payment status.');
  const { outcome, state } = meaning;
  if (of.product?.type === RESERVED_ACCOUNT) {
    return { money: outcome ? [moneyOf(of, outcome, of.amountPaid)] : [], state: 'open' };
  }
  const isBound = wrongAmountsKeep === 'what_was_asked';
  if (!outcome || (isBound && meaning === PARTLY)) return { money: [], state };
  const kept = isBound && of.paymentStatus === 'OVERPAID' ? of.totalPayable : of.amountPaid;
  return { money: [moneyOf(of, outcome, kept)], state };
};
