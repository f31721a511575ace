import * as z from 'zod/mini';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { byProvider, type REGISTRY } from './registry.ts';

/* Each provider's settings have their own type. `byProvider` loses these types, and the casts below restore them. */
type SettingsSchema<P extends ProviderName> = (typeof REGISTRY)[P]['settings'];
type TolerantShape = { [P in ProviderName]: z.ZodMiniOptional<SettingsSchema<P>> };
type StrictShape = {
  [P in ProviderName]: z.ZodMiniOptional<z.ZodMiniObject<SettingsSchema<P>['shape'], z.core.$strict>>;
};

/**
 * The settings of the live providers that a stage enables, as functions read them. They contain no credentials. Unknown names are ignored,
 * because a deployment or a rollback changes a function's code and its variables one after the other.
 */
export const providerSettings = z.object(byProvider((_, { settings }) => z.optional(settings)) as TolerantShape);
export type ProviderSettings = z.infer<typeof providerSettings>;

/** Minimum time between two calls of one process to a provider, in milliseconds. A provider that is missing here has no minimum. */
export const providerPaces = z.partialRecord(providerName, z.number().check(z.positive()));
export type Paces = z.infer<typeof providerPaces>;

/** Builds the schema for settings that people write. It refuses unknown names, because a misspelt one would be ignored otherwise. */
export const strictProviderSettings = () =>
  z.strictObject(byProvider((_, { settings }) => z.optional(z.strictObject(settings.shape))) as StrictShape);

/**
 * Lists the settings that a prod stage refuses: the path of each and the reason in one sentence. Empty if prod accepts all of them.
 */
export const settingsRefusedInProd = (all: ProviderSettings): readonly string[] =>
  Object.values(
    byProvider((name, registered) => {
      const settings = all[name];
      const reason = settings && registered.prodObjection?.(settings);
      return reason === undefined ? [] : [`${name}.${reason}`];
    }),
  ).flat();
