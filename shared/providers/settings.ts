import * as z from 'zod/mini';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { byProvider, type REGISTRY } from './registry.ts';

/* Each provider's settings have their own type, which `byProvider` loses: the casts below give it back. */
type SettingsSchema<P extends ProviderName> = (typeof REGISTRY)[P]['settings'];
type TolerantShape = { [P in ProviderName]: z.ZodMiniOptional<SettingsSchema<P>> };
type StrictShape = {
  [P in ProviderName]: z.ZodMiniOptional<z.ZodMiniObject<SettingsSchema<P>['shape'], z.core.$strict>>;
};

/**
 * A stage's settings of the live providers that it enables, as functions read them. Credentials are not among them; they are secrets.
 * Unknown names are ignored, because a deployment or a rollback changes a function's code and its variables one after the other.
 */
export const providerSettings = z.object(byProvider((_, { settings }) => z.optional(settings)) as TolerantShape);
export type ProviderSettings = z.infer<typeof providerSettings>;

/** Milliseconds between two calls of one process to a provider. A provider that is not named is called as often as there is work. */
export const providerPaces = z.partialRecord(providerName, z.number().check(z.positive()));
export type Paces = z.infer<typeof providerPaces>;

/** The same settings as people write them: unknown names are refused, because a misspelt one would be ignored otherwise. */
export const strictProviderSettings = () =>
  z.strictObject(byProvider((_, { settings }) => z.optional(z.strictObject(settings.shape))) as StrictShape);

/**
 * Why prod refuses these settings: for each provider that has such a setting, its path and the reason in one sentence. Empty when prod accepts
 * all of them.
 */
export const settingsRefusedInProd = (all: ProviderSettings): readonly string[] =>
  Object.values(
    byProvider((name, registered) => {
      const settings = all[name];
      const reason = settings && registered.prodObjection?.(settings);
      return reason === undefined ? [] : [`${name}.${reason}`];
    }),
  ).flat();
