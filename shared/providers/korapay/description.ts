import * as z from 'zod/mini';
import { nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';
import { HOUR } from '#shared/platform/kernel/time.ts';
import { commonSettings, describeProvider } from '#shared/providers/common/description.ts';
import { parseNaira } from '#shared/providers/common/money.ts';
import { needs } from '#shared/providers/domain/customer-needs.ts';

const settings = z.object({
  ...commonSettings('https://api.korapay.com/merchant/api/v1'),
  /** The code of the bank that issues virtual accounts; `000` in Korapay's own test mode. */
  bank: z._default(text, '035'),
  /** The time zone of dates without one; it decides which payments are late. Not confirmed: taken from Korapay's own examples. */
  zonelessDates: z._default(z.enum(['lagos', 'utc']), 'lagos'),
  /** How many minutes a payment account takes money when Korapay sends no expiry date. Not confirmed: its support speaks of about 30. */
  usualAccountMinutes: z._default(z.int().check(z.gte(5), z.lte(1_440)), 30),
});
export type KorapaySettings = z.infer<typeof settings>;

const credentials = z.object({ secretKey: nonEmptyString, previousSecretKey: z.optional(nonEmptyString) });
export type KorapayCredentials = z.infer<typeof credentials>;

/** What is known of Korapay before it is called (providers.md section 3). */
export const korapayDescription = describeProvider({
  title: 'Korapay',
  needs: { always: [], live: [needs('bvn')] },
  /** ₦100 to ₦10 million (providers.md section 3.3). */
  amountLimits: { least: parseNaira(100), most: parseNaira(10_000_000) },
  /** Its list of payments has no reversal in it, and only refunds by its API are notified (providers.md sections 3.5 and 3.6). */
  returnsSilently: true,
  /** The dates of its list have no zone. They may be those of Lagos, an hour ahead of UTC. */
  listedAhead: HOUR,
  /**
   * By default it returns whatever is too little ("return all", providers.md section 3.6). A merchant may choose "accept all" in Korapay's
   * dashboard, and then Korapay takes the charge as complete: there is no rest to send.
   */
  takesRest: false,
  settings,
  credentials,
  credentialsDescription: 'a JSON object with secretKey; previousSecretKey while it is being rotated',
});
