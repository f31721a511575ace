import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** The calls that look up one payment at a provider, and those that list payments. */
export const LOOK_UP: Record<ProviderName, RegExp> = {
  paystack: /^\/transaction\/verify\//,
  monnify: /^\/api\/v2\/(merchant\/transactions\/query|transactions\/)/,
  korapay: /^\/charges\/(?!bank-transfer)/,
};
export const LIST: Record<ProviderName, RegExp> = {
  paystack: /^\/transaction$/,
  monnify: /^\/api\/v1\/transactions\/search$/,
  korapay: /^\/pay-ins$/,
};

/** The call with which a provider opens an account. Monnify's for one payment is the second of two. */
export const OPENING: Record<ProviderName, Record<'accounts' | 'checkout', RegExp>> = {
  paystack: { accounts: /^\/dedicated_account$/, checkout: /^\/charge$/ },
  monnify: { accounts: /reserved-accounts$/, checkout: /init-payment$/ },
  korapay: { accounts: /^\/virtual-bank-account$/, checkout: /^\/charges\/bank-transfer$/ },
};
