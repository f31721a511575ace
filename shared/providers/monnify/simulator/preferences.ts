/**
 * The behaviour of the simulated Monnify: the merchant's settings, and a switch for each point on which sources disagree or say nothing (providers.md
 * section 2).
 */
export interface MonnifyPreference {
  /** The merchant's setting for wrong amounts. */
  readonly wrongAmounts: 'reject' | 'accept';
  /** Whether a row of the list has the paid amount, or only the requested one as in Monnify's own models. */
  readonly rows: 'asked' | 'paid';
  /**
   * The way in which look-ups and lists show a refund.
   * - `hidden`: not at all.
   * - `status`: the status is REFUNDED or PARTIALLY_REFUNDED.
   * - `amount`: the paid amount is lower. If all was refunded, the status is REFUNDED, too.
   * - `reversed`: the status is REVERSED if all was refunded. The refund of a part is not shown.
   */
  readonly refunds: 'hidden' | 'status' | 'amount' | 'reversed';
  /** Whether the code of an account's bank is a text, or a number as in an old sample of Monnify's. */
  readonly bankCodes: 'text' | 'number';
  /** The spelling of the merchant's references in look-ups, lists and notifications. */
  readonly references: 'as_sent' | 'small_letters';
}

export const MONNIFY_DEFAULT: MonnifyPreference = {
  wrongAmounts: 'reject',
  rows: 'asked',
  refunds: 'hidden',
  bankCodes: 'text',
  references: 'as_sent',
};
