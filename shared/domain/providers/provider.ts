import * as z from 'zod/mini';
import { nonEmptyString, text, textOrNull } from '#shared/domain/kernel/schemas.ts';

/**
 * The identifiers of the external account providers (api.md section 3). What else is known of each stands in
 * shared/adapters/providers/registry.ts; the names are apart, for functions that call no provider load them.
 */
export const providerName = z.enum(['paystack', 'monnify', 'korapay']);
export type ProviderName = z.infer<typeof providerName>;

/** An account that a provider issued for us to receive money in. */
export const receivingAccount = z.object({
  accountNumber: nonEmptyString,
  accountName: text,
  bankName: text,
  bankCode: textOrNull,
  /** The provider's own id of the account, where its calls ask for that. Never shown. */
  providerId: textOrNull,
});
export type ReceivingAccount = z.infer<typeof receivingAccount>;

/** What a business tells us about its customer. `bvn` and `nin` go to the provider and nowhere else. */
export interface Customer {
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly bvn: string | null;
  readonly nin: string | null;
}
