/** How Monnify behaves where it depends on the merchant, or where sources disagree or say nothing (providers.md section 2). */
export interface MonnifyPreference {
  /** Whether a wrong amount for one payment is kept: a setting of the merchant's. */
  readonly wrongAmounts: 'reject' | 'accept';
  /** Whether a row of the list says what was paid, or only what was asked for, as in Monnify's own models. */
  readonly rows: 'asked' | 'paid';
  /** How look-ups and lists show a refund: not at all, by the status alone, by the amount paid as well, or one in full as REVERSED. */
  readonly refunds: 'hidden' | 'status' | 'amount' | 'reversed';
  /** Whether the code of an account's bank is a text, or a number as in an old sample. */
  readonly bankCodes: 'text' | 'number';
  /** Whether look-ups, lists and notifications repeat the merchant's references as they were sent, or in small letters. */
  readonly references: 'as_sent' | 'small_letters';
}

export const MONNIFY_DEFAULT: MonnifyPreference = {
  wrongAmounts: 'reject',
  rows: 'asked',
  refunds: 'hidden',
  bankCodes: 'text',
  references: 'as_sent',
};
