import { InputError, ProviderAccountError, ProviderError } from '#shared/providers/domain/errors.ts';

/** Why a provider refuses, in our words: its own text may repeat a name or an identity number. */
const SENTENCES = {
  customer: 'The provider did not accept the customer data.',
  payer_email: 'The provider did not accept the customer data.',
  identity_mismatch: 'The provider could not verify the identity number.',
  duplicate: 'The provider has an account for this customer already.',
  not_enabled: 'The provider has not enabled this kind of account for us.',
  amount: 'The provider takes no payment of this amount.',
  bank_unavailable: 'The provider does not offer accounts at this bank at the moment.',
  limit_reached: 'The provider issues no more accounts to us.',
  credentials: 'The provider did not accept our credentials.',
  other: 'The provider refused the request.',
} as const;

export type ErrorReason = keyof typeof SENTENCES;

/** The reasons that certainly lie in what the caller sent. */
const INPUTS: { readonly [R in ErrorReason]?: InputError['input'] } = {
  amount: 'amount',
  payer_email: 'customer',
};

/** The reasons that certainly lie with us. Any other may be the caller's, such as a name or an identity number. */
const OURS: readonly ErrorReason[] = ['not_enabled', 'bank_unavailable', 'limit_reached', 'credentials'];

/**
 * A complaint about the amount of one payment. Ours are well formed, so it is too small or too large. A limit of ours ("Merchant daily
 * amount limit exceeded") is nothing that the caller can mend.
 */
export const AMOUNT_COMPLAINT =
  /^(?!.*\b(merchant|business|your account|daily|weekly|monthly|suspended|blocked)\b).*\bamount\b/is;

/** A refusal in words for the business. */
export const createProviderError = (reason: ErrorReason): ProviderError => {
  const input = INPUTS[reason];
  if (input) return new InputError(SENTENCES[reason], input);
  return OURS.includes(reason) ? new ProviderAccountError(SENTENCES[reason]) : new ProviderError(SENTENCES[reason]);
};
