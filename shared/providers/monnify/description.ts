import * as z from 'zod/mini';
import { boolean, nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';
import { commonSettings, describeProvider } from '#shared/providers/common/description.ts';
import { parseNaira } from '#shared/providers/common/money.ts';
import { needs } from '#shared/providers/domain/customer-needs.ts';

const settings = z.object({
  ...commonSettings('https://api.monnify.com'),
  /** The code of the bank that issues virtual accounts: Moniepoint, Monnify's own. Other banks need a contract (providers.md section 2.2). */
  bank: z._default(text, '50515'),
  contractCode: nonEmptyString,
  /** Accepts unsigned notifications as hints to look up, because Monnify's sandbox may not sign them. Never in prod. */
  unsignedNotifications: z._default(boolean, false),
  /**
   * The part of a wrong amount (PARTIALLY_PAID, OVERPAID) that Monnify keeps. `all`: everything. `what_was_asked`: the requested amount if too
   * much was paid, and nothing if too little was paid. The default is not confirmed: it depends on the settings of our account at Monnify.
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

/** The description of Monnify (providers.md section 2). */
export const monnifyDescription = describeProvider({
  title: 'Monnify',
  needs: { always: [], live: [needs('customer_email'), needs('bvn', 'nin')] },
  /** ₦20 and more (providers.md section 2.1). */
  amountLimits: { least: parseNaira(20) },
  /**
   * By default Monnify returns an amount that is too small (providers.md section 2.6). It may be set to keep such an amount (PARTIALLY_PAID). An
   * integrator reports that the payment is closed then. No document says that the account takes a second transfer.
   */
  acceptsRest: false,
  settings,
  credentials,
  credentialsDescription: 'a JSON object with apiKey and secretKey, and with previousSecretKey during a rotation',
  prodObjection: ({ unsignedNotifications }) =>
    unsignedNotifications
      ? 'unsignedNotifications must be false in prod, because anybody could report money that never came'
      : undefined,
});
