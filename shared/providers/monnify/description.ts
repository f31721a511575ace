import * as z from 'zod/mini';
import { boolean, nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';
import { commonSettings, describeProvider } from '#shared/providers/common/description.ts';
import { parseNaira } from '#shared/providers/common/money.ts';
import { needs } from '#shared/providers/domain/customer-needs.ts';

const settings = z.object({
  ...commonSettings('https://api.monnify.com'),
  /** The code of the bank that issues virtual accounts: Moniepoint, Monnify's own. Others depend on the contract (providers.md section 2.2). */
  bank: z._default(text, '50515'),
  contractCode: nonEmptyString,
  /** Accepts unsigned notifications, as hints that are looked up: Monnify's sandbox may not sign them. Never in prod. */
  unsignedNotifications: z._default(boolean, false),
  /**
   * What Monnify keeps of a wrong amount (PARTIALLY_PAID, OVERPAID). `all`: everything. `what_was_asked`: of too much the amount asked
   * for, of too little nothing. Not confirmed: it depends on what Monnify has set up for the merchant.
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

/** What is known of Monnify before it is called (providers.md section 2). */
export const monnifyDescription = describeProvider({
  title: 'Monnify',
  needs: { always: [], live: [needs('customer_email'), needs('bvn', 'nin')] },
  /** ₦20 and more (providers.md section 2.1). */
  amountLimits: { least: parseNaira(20) },
  /**
   * By default too little is returned (providers.md section 2.6). Where it is kept (PARTIALLY_PAID), an integrator reports that the payment
   * closes with it, and no document says that the account takes a second transfer.
   */
  takesRest: false,
  settings,
  credentials,
  credentialsDescription: 'a JSON object with apiKey and secretKey; previousSecretKey while it is being rotated',
  prodObjection: ({ unsignedNotifications }) =>
    unsignedNotifications
      ? 'unsignedNotifications must be false in prod, since anybody could report money that never came'
      : undefined,
});
