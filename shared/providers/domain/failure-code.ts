import * as z from 'zod/mini';

/**
 * Why a provider opened no account, for programs (api-decisions.md section 3). After `provider_busy` and `provider_unreachable` it did
 * nothing, and may be asked again; after `outcome_unknown` an account is pending, and it must not be. Codes may be added.
 */
export const providerFailureCode = z.enum([
  'provider_busy',
  'provider_not_enabled',
  'provider_refused',
  'provider_unreachable',
  'outcome_unknown',
]);
export type ProviderFailureCode = z.infer<typeof providerFailureCode>;
