import { InputRefusal, ProviderRefusal } from '#shared/providers/domain/errors.ts';

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

export type RefusalReason = keyof typeof SENTENCES;

/**
 * The reasons that certainly lie in what the caller sent. Every other refusal may be about us, such as a suspended merchant or an address
 * of ours: it stays a failure, which alarms count.
 */
const INPUTS: { readonly [R in RefusalReason]?: InputRefusal['input'] } = {
  amount: 'amount',
  payer_email: 'customer',
};

/**
 * A complaint about the amount of one payment. Ours are well formed, so it is too small or too large. A limit of ours ("Merchant daily
 * amount limit exceeded") is nothing that the caller can mend.
 */
export const AMOUNT =
  /^(?!.*\b(merchant|business|your account|daily|weekly|monthly|suspended|blocked)\b).*\bamount\b/is;

/** A refusal in words for the business. */
export const refused = (reason: RefusalReason): ProviderRefusal => {
  const input = INPUTS[reason];
  return input ? new InputRefusal(SENTENCES[reason], input) : new ProviderRefusal(SENTENCES[reason]);
};
