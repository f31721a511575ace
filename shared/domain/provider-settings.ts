import * as z from 'zod/mini';
import { someText, text, yesOrNo } from './parts.ts';

const url = z.url({ protocol: /^https?$/ });
/** The secret that holds the credentials, in AWS; elsewhere they come from the environment. */
const secretId = z.optional(someText);

/**
 * What a stage says about each live provider that it enables; what proves who we are is kept apart, as a secret. Where a default
 * is our reading of what a provider does not say, its comment tells so: ask the provider, or its first payments.
 */
export const providerSettings = z.object({
  paystack: z.optional(
    z.object({
      secretId,
      baseUrl: z._default(url, 'https://api.paystack.co'),
      /** The bank that issues standing accounts: a slug of Paystack's (`titan-paystack`, `wema-bank`). */
      bank: z._default(text, 'titan-paystack'),
      /** A domain of ours. Paystack keys customers by e-mail address, so each account gets an address of its own there. */
      customerEmailDomain: text.check(z.minLength(3)),
    }),
  ),
  monnify: z.optional(
    z.object({
      secretId,
      baseUrl: z._default(url, 'https://api.monnify.com'),
      /** The CBN code of the bank that issues standing accounts: one bank for each account. */
      bank: z._default(text, '035'),
      contractCode: someText,
      /** Monnify's sandbox may leave its notifications unsigned: then they are taken as hints, and looked up. Never in prod. */
      unsignedNotifications: z._default(yesOrNo, false),
      /**
       * What is kept of money that Monnify calls PARTIALLY_PAID or OVERPAID: all that came (`all`), or no more than was to be paid,
       * and of too little nothing (`what_was_asked`). Not confirmed: it depends on what Monnify has set up for the merchant.
       */
      wrongAmountsKeep: z._default(z.enum(['all', 'what_was_asked']), 'all'),
    }),
  ),
  korapay: z.optional(
    z.object({
      secretId,
      baseUrl: z._default(url, 'https://api.korapay.com/merchant/api/v1'),
      /** The bank code of standing accounts; `000` in Korapay's own test mode. */
      bank: z._default(text, '035'),
      /** Which time it means where a date names no zone. Not confirmed: read from its own examples. It decides what is late. */
      zonelessDates: z._default(z.enum(['lagos', 'utc']), 'lagos'),
      /** How long a checkout's account takes money where Korapay gives it no date. Not confirmed: its support speaks of about 30. */
      usualAccountMinutes: z._default(z.int().check(z.gte(5), z.lte(1_440)), 30),
    }),
  ),
});
export type ProviderSettings = z.infer<typeof providerSettings>;
export type SettingsOf<P extends keyof ProviderSettings> = NonNullable<ProviderSettings[P]>;
