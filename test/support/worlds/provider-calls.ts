import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** The paths of the calls that look up one payment. */
export const LOOK_UP: Record<ProviderName, RegExp> = {
  paystack: /^\/transaction\/verify\//,
  monnify: /^\/api\/v2\/(merchant\/transactions\/query|transactions\/)/,
  korapay: /^\/charges\/(?!bank-transfer)/,
};
/** The paths of the calls that list payments. */
export const LIST: Record<ProviderName, RegExp> = {
  paystack: /^\/transaction$/,
  monnify: /^\/api\/v1\/transactions\/search$/,
  korapay: /^\/pay-ins$/,
};

/** The paths of the calls that open accounts. Monnify opens an account for one payment with two calls; this is the second. */
export const OPENING: Record<ProviderName, Record<'accounts' | 'checkout', RegExp>> = {
  paystack: { accounts: /^\/dedicated_account$/, checkout: /^\/charge$/ },
  monnify: { accounts: /reserved-accounts$/, checkout: /init-payment$/ },
  korapay: { accounts: /^\/virtual-bank-account$/, checkout: /^\/charges\/bank-transfer$/ },
};
