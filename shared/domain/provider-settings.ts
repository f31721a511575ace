import * as z from 'zod';

const url = z.url({ protocol: /^https?$/ });
/** The secret that holds the credentials, in AWS; elsewhere they come from the environment. */
const secretId = z.string().min(1).optional();

/**
 * What a stage says about each live provider that it enables; what proves who we are is kept apart, as a secret. Where a default
 * is our reading of what a provider does not say, its comment tells so: ask the provider, or its first payments.
 */
export const providerSettings = z.object({
  paystack: z
    .object({
      secretId,
      baseUrl: url.default('https://api.paystack.co'),
      /** The bank that issues standing accounts: a slug of Paystack's (`titan-paystack`, `wema-bank`). */
      bank: z.string().default('titan-paystack'),
      /** A domain of ours. Paystack keys customers by e-mail address, so each account gets an address of its own there. */
      customerEmailDomain: z.string().min(3),
    })
    .optional(),
  monnify: z
    .object({
      secretId,
      baseUrl: url.default('https://api.monnify.com'),
      /** The CBN code of the bank that issues standing accounts: one bank for each account. */
      bank: z.string().default('035'),
      contractCode: z.string().min(1),
      /** Monnify's sandbox may leave its notifications unsigned: then they are taken as hints, and looked up. Never in prod. */
      unsignedNotifications: z.boolean().default(false),
      /**
       * What is kept of money that Monnify calls PARTIALLY_PAID or OVERPAID: all that came (`all`), or no more than was to be paid,
       * and of too little nothing (`what_was_asked`). Not confirmed: it depends on what Monnify has set up for the merchant.
       */
      wrongAmountsKeep: z.enum(['all', 'what_was_asked']).default('all'),
    })
    .optional(),
  korapay: z
    .object({
      secretId,
      baseUrl: url.default('https://api.korapay.com/merchant/api/v1'),
      /** The bank code of standing accounts; `000` in Korapay's own test mode. */
      bank: z.string().default('035'),
      /** Which time it means where a date names no zone. Not confirmed: read from its own examples. It decides what is late. */
      zonelessDates: z.enum(['lagos', 'utc']).default('lagos'),
      /** How long a checkout's account takes money where Korapay gives it no date. Not confirmed: its support speaks of about 30. */
      usualAccountMinutes: z.number().int().min(5).max(1_440).default(30),
    })
    .optional(),
});
export type ProviderSettings = z.infer<typeof providerSettings>;
export type SettingsOf<P extends keyof ProviderSettings> = NonNullable<ProviderSettings[P]>;
