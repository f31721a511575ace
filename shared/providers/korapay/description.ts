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
  /** The time zone of dates that name none. It decides which payments are late. The default is not confirmed; it follows Korapay's examples. */
  zonelessDates: z._default(z.enum(['lagos', 'utc']), 'lagos'),
  /** Life of a payment account in minutes if Korapay sends no expiry date. The default is not confirmed; Korapay's support says about 30. */
  usualAccountMinutes: z._default(z.int().check(z.gte(5), z.lte(1_440)), 30),
});
export type KorapaySettings = z.infer<typeof settings>;

const credentials = z.object({ secretKey: nonEmptyString, previousSecretKey: z.optional(nonEmptyString) });
export type KorapayCredentials = z.infer<typeof credentials>;

/** The description of Korapay (providers.md section 3). */
export const korapayDescription = describeProvider({
  title: 'Korapay',
  needs: { always: [], live: [needs('bvn')] },
  /** ₦100 to ₦10 million (providers.md section 3.3). */
  amountLimits: { least: parseNaira(100), most: parseNaira(10_000_000) },
  /** Korapay's list shows no reversals, and it notifies only of refunds that were made by its API (providers.md sections 3.5 and 3.6). */
  returnsSilently: true,
  /** The dates of its list have no zone. They may be in Lagos time, an hour ahead of UTC. */
  listedAhead: HOUR,
  /**
   * By default Korapay returns an amount that is too small ("return all", providers.md section 3.6). If the merchant chooses "accept all" in
   * Korapay's dashboard, Korapay considers the charge complete, and a rest cannot be sent either.
   */
  acceptsRest: false,
  settings,
  credentials,
  credentialsDescription: 'a JSON object with secretKey, and with previousSecretKey during a rotation',
});
