import * as z from 'zod/mini';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import { byProvider, type REGISTRY } from './registry.ts';

type Of<P extends ProviderName> = (typeof REGISTRY)[P]['settings'];
type Known = { [P in ProviderName]: z.ZodMiniOptional<Of<P>> };
type Strict = { [P in ProviderName]: z.ZodMiniOptional<z.ZodMiniObject<Of<P>['shape'], z.core.$strict>> };

/**
 * What a stage says about each live provider that it enables, as functions read it; what proves who we are is kept apart, as a
 * secret. Names that they do not know are passed over: a deployment or a rollback gives a function its code and its variables one after the other.
 */
export const providerSettings = z.object(byProvider((_, { settings }) => z.optional(settings)) as Known);
export type ProviderSettings = z.infer<typeof providerSettings>;

/** The same where people write it: refuses names that nobody knows, since a misspelt one would be passed over. */
export const writtenProviderSettings = () =>
  z.strictObject(byProvider((_, { settings }) => z.optional(z.strictObject(settings.shape))) as Strict);

/** What of a stage's settings is not for prod: of each provider a path and words that go on from it. Empty when all is. */
export const unfitForProd = (all: ProviderSettings): readonly string[] =>
  Object.values(
    byProvider((name, registered) => {
      const settings = all[name];
      const words = settings && registered.unfitForProd?.(settings);
      return words === undefined ? [] : [`${name}.${words}`];
    }),
  ).flat();
