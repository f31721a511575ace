import * as z from 'zod/mini';

/**
 * Tells programs why a provider opened no account. After `provider_busy` or `provider_unreachable` the provider did nothing: ask it again.
 * After `outcome_unknown` an account is pending: do not ask for another one. Codes may be added.
 */
export const providerFailureCode = z.enum([
  'provider_busy',
  'provider_not_enabled',
  'provider_refused',
  'provider_unreachable',
  'outcome_unknown',
]);
export type ProviderFailureCode = z.infer<typeof providerFailureCode>;
