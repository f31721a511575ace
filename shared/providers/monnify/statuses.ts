import type { PaymentReport } from '#shared/providers/domain/report.ts';

/** What a status means: what became of the money (null: there is none), and the state of the payment as a whole. */
export interface Meaning {
  readonly outcome: 'accepted' | 'reversed' | null;
  readonly state: PaymentReport['state'];
  /** Whether another amount may have come than was asked for. */
  readonly isWrong?: true;
  /** Whether some of the money was returned, which the amount paid may show or not. */
  readonly isReduced?: true;
}

const NO_MONEY: Meaning = { outcome: null, state: 'open' };
/** Less came than was asked for. */
export const PARTLY_PAID: Meaning = { outcome: 'accepted', state: 'open', isWrong: true };
const RETURNED: Meaning = { outcome: 'reversed', state: 'open' };
/** Not confirmed. The refund's own notification says how much was returned. */
const PARTLY_RETURNED: Meaning = { outcome: 'accepted', state: 'complete', isWrong: true, isReduced: true };

/**
 * No status means `failed` to us. Wrong and late transfers are returned by the bank (providers.md section 2.6), but it is not documented
 * that an expired, cancelled, abandoned or failed transaction takes no more transfers: one may be on its way. The checkout's own expiry
 * ends it within minutes; a wrong `failed` would be final for somebody who has paid.
 */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  PAID: { outcome: 'accepted', state: 'complete' },
  OVERPAID: { outcome: 'accepted', state: 'complete', isWrong: true },
  PARTIALLY_PAID: PARTLY_PAID,
  UNDERPAID: PARTLY_PAID,
  PARTIALLY_REFUNDED: PARTLY_RETURNED,
  PARTIALLY_REVERSED: PARTLY_RETURNED,
  REVERSED: RETURNED,
  REFUNDED: RETURNED,
  PENDING: NO_MONEY,
  EXPIRED: NO_MONEY,
  CANCELLED: NO_MONEY,
  FAILED: NO_MONEY,
  ABANDONED: NO_MONEY,
};

/** What a status in upper case means; undefined for one that is not known. */
export const findMeaning = (status: string): Meaning | undefined =>
  Object.hasOwn(MEANINGS, status) ? MEANINGS[status] : undefined;
