import type * as z from 'zod/mini';
import { type ProviderName, providerName } from '#shared/domain/providers/provider.ts';
import type { LiveProvider, NeedsOf } from '#shared/ports/providers.ts';
import type { AnySettings, ProviderAccess, ProviderDescription } from './common/description.ts';
import { korapayDescription } from './korapay/description.ts';
import { korapay } from './korapay/korapay.ts';
import { monnifyDescription } from './monnify/description.ts';
import { monnify } from './monnify/monnify.ts';
import { paystackDescription } from './paystack/description.ts';
import { paystack } from './paystack/paystack.ts';

/** A provider that can be enabled: what is to be known of it, and what speaks to it. */
export interface Registered<S extends AnySettings = AnySettings, C extends z.ZodMiniObject = z.ZodMiniObject>
  extends ProviderDescription<S, C> {
  connect(access: ProviderAccess<z.infer<S>, z.infer<C>>): LiveProvider;
}

const live = <S extends AnySettings, C extends z.ZodMiniObject>(
  description: ProviderDescription<S, C>,
  connect: (access: ProviderAccess<z.infer<S>, z.infer<C>>) => LiveProvider,
): Registered<S, C> => ({ ...description, connect });

/**
 * Every live provider there is. One more is
 * 1. a folder here, with its `description.ts` and its adapter: a function that makes a LiveProvider (shared/ports.ts);
 * 2. a line in this table;
 * 3. its name in shared/domain/providers/provider.ts, which is apart because functions that call no provider load it. The compiler asks for
 *    the one where it finds the other.
 */
export const REGISTRY = {
  paystack: live(paystackDescription, paystack),
  monnify: live(monnifyDescription, monnify),
  korapay: live(korapayDescription, korapay),
} satisfies Record<ProviderName, Registered>;

/** What is made of each provider, by its name. */
export const byProvider = <T>(make: (name: ProviderName, registered: Registered) => T): Record<ProviderName, T> =>
  Object.fromEntries(providerName.options.map((name) => [name, make(name, REGISTRY[name])])) as Record<ProviderName, T>;

/** What each provider needs of a customer. */
export const needsOf: NeedsOf = (name) => REGISTRY[name].needs;
