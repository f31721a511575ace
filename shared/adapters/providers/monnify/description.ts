import * as z from 'zod/mini';
import { commonSettings, describeProvider } from '#shared/adapters/providers/common/description.ts';
import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { boolean, nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import { needs } from '#shared/domain/providers/customer-needs.ts';

const settings = z.object({
  ...commonSettings('https://api.monnify.com'),
  /** The CBN code of the bank that issues virtual accounts: one bank for each account. */
  bank: z._default(text, '035'),
  contractCode: nonEmptyString,
  /** Monnify's sandbox may leave its notifications unsigned: then they are taken as hints, and looked up. Never in prod. */
  unsignedNotifications: z._default(boolean, false),
  /**
   * What is kept of money that Monnify calls PARTIALLY_PAID or OVERPAID: all that came (`all`), or no more than was to be paid,
   * and of too little nothing (`what_was_asked`). Not confirmed: it depends on what Monnify has set up for the merchant.
   */
  wrongAmountsKeep: z._default(z.enum(['all', 'what_was_asked']), 'all'),
});
export type MonnifySettings = z.infer<typeof settings>;

const credentials = z.object({
  apiKey: nonEmptyString,
  secretKey: nonEmptyString,
  previousSecretKey: z.optional(nonEmptyString),
});
export type MonnifyCredentials = z.infer<typeof credentials>;

/** Monnify, as providers.md section 2 has it. */
export const monnifyDescription = describeProvider({
  title: 'Monnify',
  needs: { always: [], live: [needs('customer_email'), needs('bvn', 'nin')] },
  /** ₦20 and more (providers.md section 2.1). */
  takes: { least: koboOfNaira(20) },
  settings,
  credentials,
  secretHolds: 'a JSON object with apiKey and secretKey; previousSecretKey while it is being rotated',
  unfitForProd: ({ unsignedNotifications }) =>
    unsignedNotifications
      ? 'unsignedNotifications must be false in prod, since anybody could claim that money came'
      : undefined,
});
