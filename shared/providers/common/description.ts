import * as z from 'zod/mini';
import { nonEmptyString } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { CustomerNeeds, Need } from '#shared/providers/domain/customer-needs.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import type { ProviderHttp } from './http.ts';

const url = z.url({ protocol: /^https?$/ });

/** Settings that every provider has. `baseUrl` is the default address of its API. */
export const commonSettings = (baseUrl: string) => ({
  /** The secret that holds the credentials, in AWS; elsewhere they come from the environment. */
  secretId: z.optional(nonEmptyString),
  baseUrl: z._default(url, baseUrl),
});

/** The settings of any provider. */
export type AnySettings = z.ZodMiniObject<ReturnType<typeof commonSettings>>;

/** Everything about a provider that is known before it is called. Documents, infrastructure and functions read it here. */
export interface ProviderDescription<S extends AnySettings = AnySettings, C extends z.ZodMiniObject = z.ZodMiniObject> {
  /** What people call it. */
  readonly title: string;
  readonly needs: CustomerNeeds;
  /** What it needs besides, in live mode, under settings that ask for more. */
  needsUnder?(settings: z.infer<S>): readonly Need[];
  readonly amountLimits?: AccountIssuer['amountLimits'];
  /** Each payment is looked up once more within the week where this is true (LiveProvider). Absent means no. */
  readonly returnsSilently?: boolean;
  /** An expired checkout is not looked up for late money once the list has told of it, where this is true (LiveProvider). Absent means no. */
  readonly listShowsLateMoney?: boolean;
  /** Whether it lists a payment by the creation of its checkout, up to eight hours before. Absent means no. */
  readonly listsByCreation?: boolean;
  /** Milliseconds that the time of its list may be ahead of ours. Absent means none. */
  readonly listedAhead?: Millis;
  /**
   * Whether a payer who sent too little may send the rest to the same payment account. False where the provider returns what is too little,
   * and where it closes the account with the first transfer.
   */
  readonly takesRest: boolean;
  /**
   * A stage's settings of the provider. A default that the provider does not document says so in its comment: confirm it with the
   * provider or with the first payments.
   */
  readonly settings: S;
  /** Our credentials at the provider. `previous…` is a secret that it may still sign with during a rotation. */
  readonly credentials: C;
  /** What the secret holds, for the person who fills it: continues "Credentials at it: ". */
  readonly credentialsDescription: string;
  /** Which setting a prod stage refuses and why: begins with the setting's name. Undefined when all are allowed. */
  prodObjection?(settings: z.infer<S>): string | undefined;
}

/** Declares a description; checks its form and preserves the types of its schemas. */
export const describeProvider = <S extends AnySettings, C extends z.ZodMiniObject>(
  description: ProviderDescription<S, C>,
): ProviderDescription<S, C> => description;

/** Reads the credentials, cached for some minutes; `refresh` reads them again, after the cached ones were refused. */
export type ReadCredentials<C> = (options?: { readonly refresh?: boolean }) => Promise<C>;

/** What a provider's adapter gets: the stage's settings, the credentials, guarded HTTP at the base URL, and the clock. */
export interface ProviderAccess<S, C> {
  readonly settings: S;
  readonly credentials: ReadCredentials<C>;
  readonly http: ProviderHttp;
  readonly now: () => Millis;
}

/** The same, for a provider that takes an address with each payment. */
export interface NotifiedAccess<S, C> extends ProviderAccess<S, C> {
  /** Where the stage takes this provider's notifications; null where the stage's own address is not known. */
  readonly notificationUrl: string | null;
}
