import * as z from 'zod/mini';
import { nonEmptyString } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { CustomerNeeds, Need } from '#shared/providers/domain/customer-needs.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import type { ProviderHttp } from './http.ts';

const url = z.url({ protocol: /^https?$/ });

/** Builds the settings that every provider has. `baseUrl` is the default address of its API. */
export const commonSettings = (baseUrl: string) => ({
  /** The id of the secret with the credentials in Secrets Manager. If it is absent, they come from an environment variable. */
  secretId: z.optional(nonEmptyString),
  baseUrl: z._default(url, baseUrl),
});

/** The settings of any provider. */
export type AnySettings = z.ZodMiniObject<ReturnType<typeof commonSettings>>;

/** The facts about a provider that are known before it is called. Documents, infrastructure and functions use them. */
export interface ProviderDescription<S extends AnySettings = AnySettings, C extends z.ZodMiniObject = z.ZodMiniObject> {
  /** The provider's name for people. */
  readonly title: string;
  readonly needs: CustomerNeeds;
  /** Lists further needs of live mode, which depend on the stage's settings. */
  needsUnder?(settings: z.infer<S>): readonly Need[];
  readonly amountLimits?: AccountIssuer['amountLimits'];
  /**
   * Whether the provider may return money without telling us. Then each payment is looked up once more, on the seventh day (see LiveProvider). Absent
   * means false.
   */
  readonly returnsSilently?: boolean;
  /** Whether the provider's list shows late money. Then the list may replace the look-up of an expired checkout (see LiveProvider). Absent means false. */
  readonly listShowsLateMoney?: boolean;
  /** Whether the provider's list dates a payment by the time when its charge was opened. The payer may pay up to eight hours later. Absent means false. */
  readonly listsByCreation?: boolean;
  /** Milliseconds by which the times in the provider's list may be ahead of ours. Absent means zero. */
  readonly listedAhead?: Millis;
  /**
   * Whether a payer who sent too little may send the rest to the same payment account. False if the provider returns an amount that is too
   * small, or closes the account after the first transfer.
   */
  readonly acceptsRest: boolean;
  /**
   * The schema of a stage's settings for the provider. If a default is not confirmed by the provider's documentation, the comment of the setting says
   * so: ask the provider, or check the default with the first payments.
   */
  readonly settings: S;
  /** Our credentials at the provider. A field `previous…` is an old secret with which the provider may still sign during a rotation. */
  readonly credentials: C;
  /** Explains the secret's content to the person who fills it. It continues the text "Credentials at <provider>: ". */
  readonly credentialsDescription: string;
  /**
   * Explains why a prod stage refuses these settings. The text begins with the name of the refused setting. Undefined if a prod stage allows
   * them.
   */
  prodObjection?(settings: z.infer<S>): string | undefined;
}

/** Returns the description unchanged. TypeScript checks its form here, and keeps the exact types of its two schemas. */
export const describeProvider = <S extends AnySettings, C extends z.ZodMiniObject>(
  description: ProviderDescription<S, C>,
): ProviderDescription<S, C> => description;

/** Reads the credentials, which are cached. `refresh` reads them again, after the provider has rejected the cached ones. */
export type ReadCredentials<C> = (options?: { readonly refresh?: boolean }) => Promise<C>;

/** Dependencies of a provider's adapter: the stage's settings, the credentials, guarded HTTP at the base URL, and the clock. */
export interface ProviderAccess<S, C> {
  readonly settings: S;
  readonly credentials: ReadCredentials<C>;
  readonly http: ProviderHttp;
  readonly now: () => Millis;
}

/** Dependencies of an adapter whose provider takes a notification address with each payment. */
export interface AccessWithNotificationUrl<S, C> extends ProviderAccess<S, C> {
  /** The stage's address for this provider's notifications; null if the stage's own address is not known. */
  readonly notificationUrl: string | null;
}
