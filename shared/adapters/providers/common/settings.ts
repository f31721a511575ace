import * as z from 'zod/mini';
import { someText } from '#shared/domain/parts.ts';
import type { ProviderName } from '#shared/domain/provider.ts';

const secret = someText;

/** What proves to a provider who we are. `previous…` is what it may still sign with while a new secret replaces it. */
export const paystackCredentials = z.object({ secretKey: secret, previousSecretKey: z.optional(secret) });
export const monnifyCredentials = z.object({
  apiKey: secret,
  secretKey: secret,
  previousSecretKey: z.optional(secret),
});
export const korapayCredentials = z.object({ secretKey: secret, previousSecretKey: z.optional(secret) });

/** The shape of each provider's credentials. */
export const CREDENTIALS = {
  paystack: paystackCredentials,
  monnify: monnifyCredentials,
  korapay: korapayCredentials,
} as const satisfies Record<ProviderName, z.ZodMiniObject>;

/** Credentials as they are at the moment; `afresh` asks for those of this very moment, when the last ones were refused. */
export type ReadCredentials<C> = (options?: { readonly afresh?: boolean }) => Promise<C>;
