import type * as z from 'zod/mini';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import type { AccessWithNotificationUrl, AnySettings, ProviderDescription } from './common/description.ts';
import { DESCRIPTIONS } from './descriptions.ts';
import { korapay } from './korapay/korapay.ts';
import { monnify } from './monnify/monnify.ts';
import { paystack } from './paystack/paystack.ts';
import type { FindNeeds, ProviderAdapter } from './ports.ts';

/** A provider that a stage can enable: its description and its adapter. */
export interface RegisteredProvider<S extends AnySettings = AnySettings, C extends z.ZodMiniObject = z.ZodMiniObject>
  extends ProviderDescription<S, C> {
  connect(access: AccessWithNotificationUrl<z.infer<S>, z.infer<C>>): ProviderAdapter;
}

const register = <S extends AnySettings, C extends z.ZodMiniObject>(
  description: ProviderDescription<S, C>,
  connect: (access: AccessWithNotificationUrl<z.infer<S>, z.infer<C>>) => ProviderAdapter,
): RegisteredProvider<S, C> => ({ ...description, connect });

/**
 * All live providers. To add one:
 * 1. make a folder here with a `description.ts` and an adapter, a function that returns a ProviderAdapter (shared/providers/ports.ts);
 * 2. add a line to this table and to the tables of descriptions.ts and simulators.ts;
 * 3. add its name to shared/providers/domain/names.ts. Names are defined there because functions that call no provider need them too.
 *    The type check fails while a line or the name is missing.
 */
export const REGISTRY = {
  paystack: register(DESCRIPTIONS.paystack, paystack),
  monnify: register(DESCRIPTIONS.monnify, monnify),
  korapay: register(DESCRIPTIONS.korapay, korapay),
} satisfies Record<ProviderName, RegisteredProvider>;

/** Calls `make` for each provider and returns the results by name. The cast is needed because `fromEntries` loses the names of the keys. */
export const byProvider = <T>(
  make: (name: ProviderName, registered: RegisteredProvider) => T,
): Record<ProviderName, T> =>
  Object.fromEntries(providerName.options.map((name) => [name, make(name, REGISTRY[name])])) as Record<ProviderName, T>;

/** Finds a provider's requirements for customers under a stage's settings. Pass an empty object for a stage without providers. */
export const findNeedsWithSettings =
  (stage: { readonly [P in ProviderName]?: z.infer<AnySettings> | undefined }): FindNeeds =>
  (name) => {
    const { needs, needsUnder: more }: RegisteredProvider = REGISTRY[name];
    const settings = stage[name];
    return settings && more ? { ...needs, live: [...needs.live, ...more(settings)] } : needs;
  };
