import * as z from 'zod/mini';
import { nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { CustomerNeeds } from '#shared/domain/providers/customer-needs.ts';
import type { AccountIssuer } from '#shared/ports/providers.ts';
import type { ProviderHttp } from './http.ts';

const url = z.url({ protocol: /^https?$/ });

/** What the settings of every provider begin with; its API is at `baseUrl` where a stage says nothing else. */
export const commonSettings = (baseUrl: string) => ({
  /** The secret that holds the credentials, in AWS; elsewhere they come from the environment. */
  secretId: z.optional(nonEmptyString),
  baseUrl: z._default(url, baseUrl),
});

/** The settings of any provider. */
export type AnySettings = z.ZodMiniObject<ReturnType<typeof commonSettings>>;

/** What is to be known of a provider before it is called. Documents, infrastructure and functions all read it here. */
export interface ProviderDescription<S extends AnySettings = AnySettings, C extends z.ZodMiniObject = z.ZodMiniObject> {
  /** What people call it. */
  readonly title: string;
  readonly needs: CustomerNeeds;
  readonly takes?: AccountIssuer['takes'];
  /**
   * What a stage that enables it says of it. Where a default is our reading of what the provider does not say, its comment tells
   * so: ask the provider, or its first payments.
   */
  readonly settings: S;
  /** What proves to it who we are. `previous…` is what it may still sign with while a new secret replaces it. */
  readonly credentials: C;
  /** The same for whoever fills the secret, as words that go on from "Credentials at it: ". */
  readonly secretHolds: string;
  /** What of its settings is not for prod, as words that begin with the setting; undefined when all is. */
  unfitForProd?(settings: z.infer<S>): string | undefined;
}

/** A description, held to the form of one while its schemas keep their types. */
export const describeProvider = <S extends AnySettings, C extends z.ZodMiniObject>(
  description: ProviderDescription<S, C>,
): ProviderDescription<S, C> => description;

/** Credentials as they are at the moment; `refresh` asks for those of this very moment, when the last ones were refused. */
export type ReadCredentials<C> = (options?: { readonly refresh?: boolean }) => Promise<C>;

/** What an adapter is made of: the stage's settings, its credentials, guarded HTTP that is bound to its base URL, and the time. */
export interface ProviderAccess<S, C> {
  readonly settings: S;
  readonly credentials: ReadCredentials<C>;
  readonly http: ProviderHttp;
  readonly now: () => Millis;
}
