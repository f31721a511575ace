import * as z from 'zod/mini';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { nonEmptyString, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { PROVIDERS } from './names.ts';

/** The name of a live provider. */
export const providerName = z.enum(PROVIDERS);
export type ProviderName = z.infer<typeof providerName>;

/**
 * The kinds of calls to a provider. `creations` open and close accounts, on a business's request. `look_ups` land money, and only we decide
 * when they are made. `requeries` are look-ups on a business's request. `reviews` look again at money that counted days ago. Each kind has
 * its own guard (guard.ts): if another kind fails or meets a limit, the look-ups that land money go on.
 */
export const providerCalls = z.enum(['creations', 'look_ups', 'requeries', 'reviews']);
export type ProviderCalls = z.infer<typeof providerCalls>;

/** An account that a provider issued, into which we receive money. */
export const receivingAccount = z.object({
  accountNumber: nonEmptyString,
  accountName: personal('other', text),
  bankName: personal('none', text),
  bankCode: personal('none', textOrNull),
  /** The provider's own id of the account, if its calls need one. Never shown. */
  providerId: personal('none', textOrNull),
});
export type ReceivingAccount = z.infer<typeof receivingAccount>;

/** A customer's own bank account, by which a provider validates the customer's identity. */
export interface BankAccount {
  readonly accountNumber: string;
  readonly bankCode: string;
}

/** A business's customer. `bvn`, `nin` and `bankAccount` are passed to the provider and stored nowhere. */
export interface Customer {
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly bvn: string | null;
  readonly nin: string | null;
  readonly bankAccount?: BankAccount | null;
}

/**
 * Whether a provider opened this checkout or account in live mode. Only then may the provider's reports change it. That a report names its
 * reference is not enough.
 */
export const isLiveAt = (
  provider: ProviderName,
  object: { readonly provider: ProviderName; readonly mode: Mode },
): boolean => object.provider === provider && object.mode === 'live';
