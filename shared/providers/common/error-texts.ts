import { InputError, ProviderAccountError, ProviderError } from '#shared/providers/domain/errors.ts';

/** Explains a provider's error in our words. The provider's own text may repeat a name or an identity number. */
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

/** Reasons that the caller's data certainly caused. */
const INPUTS: { readonly [R in ErrorReason]?: InputError['input'] } = {
  amount: 'amount',
  payer_email: 'customer',
};

/** Reasons that are certainly our fault. The caller may have caused any other reason, for example by a name or an identity number. */
const OURS: readonly ErrorReason[] = ['not_enabled', 'bank_unavailable', 'limit_reached', 'credentials'];

/**
 * Matches a provider's complaint about the amount of one payment. Our amounts are well formed, so such a complaint means that the amount is too
 * small or too large. A limit of our account ("Merchant daily amount limit exceeded") does not match: the caller cannot change it.
 */
export const AMOUNT_COMPLAINT =
  /^(?!.*\b(merchant|business|your account|daily|weekly|monthly|suspended|blocked)\b).*\bamount\b/is;

/** Creates the error that the business reads when a provider rejects a request. */
export const createProviderError = (reason: ErrorReason): ProviderError => {
  const input = INPUTS[reason];
  if (input) return new InputError(SENTENCES[reason], input);
  return OURS.includes(reason) ? new ProviderAccountError(SENTENCES[reason]) : new ProviderError(SENTENCES[reason]);
};
