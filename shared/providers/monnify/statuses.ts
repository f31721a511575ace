import type { PaymentReport } from '#shared/providers/domain/report.ts';

/** The meaning of a status: the outcome of the money (null: there is none), and the state of the payment as a whole. */
export interface Meaning {
  readonly outcome: 'accepted' | 'reversed' | null;
  readonly state: PaymentReport['state'];
  /** Whether the received amount may differ from the requested one. Absent means false. */
  readonly isWrong?: true;
  /** Whether a part of the money was returned. `amountPaid` may or may not show that. Absent means false. */
  readonly isReduced?: true;
}

const NO_MONEY: Meaning = { outcome: null, state: 'open' };
/** The received amount is less than the requested one. */
export const PARTLY_PAID: Meaning = { outcome: 'accepted', state: 'open', isWrong: true };
const RETURNED: Meaning = { outcome: 'reversed', state: 'open' };
/** A part was returned (not confirmed). The refund's own notification has the amount. */
const PARTLY_RETURNED: Meaning = { outcome: 'accepted', state: 'complete', isWrong: true, isReduced: true };

/**
 * The meaning of each status. None of them, not even FAILED, gives the payment the state `failed`. The bank returns wrong and late transfers
 * (providers.md section 2.6). But an expired, cancelled, abandoned or failed transaction may still take a transfer: one may be on its way, and
 * no document excludes it. With the state `open` the checkout ends within minutes, by its own expiry. A wrong `failed` would be final, even if
 * the payer has paid.
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

/** Finds the meaning of a status in upper case; undefined for an unknown one. */
export const findMeaning = (status: string): Meaning | undefined =>
  Object.hasOwn(MEANINGS, status) ? MEANINGS[status] : undefined;
