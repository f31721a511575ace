import { koboIfValid, koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { PaymentReport, ReportedMoney } from '#shared/domain/money/report.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { MonnifySettings } from './description.ts';
import { lagosTime } from './lagos-time.ts';
import { RESERVED_ACCOUNT, senderOf, type Transaction } from './transaction.ts';

/** What a status means: what became of the money (null: there is none), and the state of the payment as a whole. */
interface Meaning {
  readonly outcome: 'accepted' | 'reversed' | null;
  readonly state: PaymentReport['state'];
}

const PARTLY_PAID: Meaning = { outcome: 'accepted', state: 'open' };
const RETURNED: Meaning = { outcome: 'reversed', state: 'open' };

/**
 * No status means `failed` to us. Wrong and late transfers are returned by the bank (providers.md section 2.6), but it is not documented
 * that an expired, cancelled, abandoned or failed transaction takes no more transfers: one may be on its way. The checkout's own expiry
 * ends it within minutes; a wrong `failed` would be final for somebody who has paid.
 */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  PAID: { outcome: 'accepted', state: 'complete' },
  OVERPAID: { outcome: 'accepted', state: 'complete' },
  PARTIALLY_PAID: PARTLY_PAID,
  UNDERPAID: PARTLY_PAID,
  REVERSED: RETURNED,
  REFUNDED: RETURNED,
  PENDING: { outcome: null, state: 'open' },
  EXPIRED: { outcome: null, state: 'open' },
  CANCELLED: { outcome: null, state: 'open' },
  FAILED: { outcome: null, state: 'open' },
  ABANDONED: { outcome: null, state: 'open' },
};

const meaningOf = (status: string): Meaning | undefined =>
  Object.hasOwn(MEANINGS, status) ? MEANINGS[status] : undefined;

/** Whether the money of a transaction of this status was returned after it came in. */
export const isReturnedStatus = (status: string): boolean => meaningOf(status) === RETURNED;

/** Whether money came in under a transaction of this status, even if it was returned later. */
export const hasMoney = (status: string): boolean => Boolean(meaningOf(status)?.outcome);

/** What a stage's settings say of wrong amounts (description.ts). */
export type WrongAmountSetting = Pick<MonnifySettings, 'wrongAmountsKeep'>;

/** Monnify's fee in kobo: what it did not settle to us. Zero when the settled amount is missing or invalid. */
const feeOf = (paid: Kobo, settled: Transaction['settlementAmount']): Kobo => {
  if (settled === null || settled === undefined) return ZERO_KOBO;
  try {
    return subtractDownToZero(paid, koboOfNaira(settled));
  } catch {
    return ZERO_KOBO;
  }
};

/** The time of payment in milliseconds since the epoch; null when it is missing. Throws OutcomeUnknown for an invalid one. */
const paidAtOf = (paidOn: Transaction['paidOn']): Millis | null => {
  if (!paidOn) return null;
  const at = lagosTime(paidOn);
  if (at === undefined) throw new OutcomeUnknown('Monnify reports an invalid time of payment.');
  return at;
};

/**
 * The money of a transaction: one transfer for a virtual account, the running total of its reference for a payment account. `naira` is the
 * amount that was kept or returned.
 */
const moneyOf = (
  of: Transaction,
  outcome: 'accepted' | 'reversed',
  naira: Transaction['amountPaid'],
): ReportedMoney => {
  if (of.currency && of.currency !== 'NGN') throw new OutcomeUnknown('Monnify reports another currency than naira.');
  const amount = koboOfNaira(naira ?? 0);
  if (outcome === 'accepted' && amount === 0) throw new OutcomeUnknown('Monnify reports a payment of zero as paid.');
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
  // A transfer to a virtual account has no reference of ours but `product.reference`. Without it we cannot know whose it is.
  if (!of.product && of.paymentReference === of.transactionReference) {
    throw new OutcomeUnknown('Monnify does not say whom the payment is for.');
  }
  const payee = { by: 'our_reference', reference: of.paymentReference } as const;
  const [kept, returned] = outcome === 'accepted' ? [amount, ZERO_KOBO] : [ZERO_KOBO, amount];
  const asked = koboIfValid(koboOfNaira, of.totalPayable);
  return { kind: 'running_total', payee, asked, kept, returned, ...common };
};

/**
 * What a transaction reports (providers.md section 2.4). Throws OutcomeUnknown for an undocumented status, and for an invalid amount, time or
 * currency.
 */
export const reportOf = (of: Transaction, { wrongAmountsKeep }: WrongAmountSetting): PaymentReport => {
  const meaning = meaningOf(of.paymentStatus);
  if (!meaning) throw new OutcomeUnknown('Monnify reports an unknown payment status.');
  const { outcome, state } = meaning;
  if (of.product?.type === RESERVED_ACCOUNT) {
    return { money: outcome ? [moneyOf(of, outcome, of.amountPaid)] : [], state: 'open' };
  }
  const keepsOnlyAmount = wrongAmountsKeep === 'what_was_asked';
  if (!outcome || (keepsOnlyAmount && meaning === PARTLY_PAID)) return { money: [], state };
  const naira = keepsOnlyAmount && of.paymentStatus === 'OVERPAID' ? of.totalPayable : of.amountPaid;
  return { money: [moneyOf(of, outcome, naira)], state };
};
