import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Asker } from '#shared/platform/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { Claim, Interrupted, KeyedRequest } from '#shared/platform/requests/idempotency.ts';
import type { Answered } from '#shared/platform/requests/ports.ts';
import {
  isProviderFailure,
  isUnanswered,
  NoReferenceLeft,
  OutcomeUnknown,
  type ProviderBusy,
  ProviderRefusal,
  ProviderUnavailable,
  requireProvider,
} from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Intent, IntentStore } from '#shared/providers/intent-ports.ts';
import type { AccountIssuer, ProviderAllowance, Providers } from '#shared/providers/ports.ts';
import { withTimeout } from './with-timeout.ts';

/*
 * How checkouts and virtual accounts are opened: the intent is stored, the provider is asked, the outcome is written (architecture.md
 * section 6). settle-intent.ts settles what a crash or a lost answer leaves.
 */

/** Longer than any function that calls a provider may run: the request of an older intent was interrupted. Milliseconds. */
export const INTENT_LEASE = 30 * SECOND;

/** Milliseconds. API Gateway times out at 30 s, and the outcome has to be written before that. */
const PROVIDER_TIMEOUT = 20_000;

/** The claim of a request, without its intents, and that of the interrupted one which it continues. */
export interface Claiming {
  readonly claim: Omit<Claim, 'intents'>;
  readonly lapsed: Claim | undefined;
}

/** The claim of a request that works until `leaseUntil`; undefined without an Idempotency-Key. */
export const claiming = (keyed: KeyedRequest | undefined, leaseUntil: Millis): Claiming | undefined =>
  keyed && { claim: { ...keyed.own, leaseUntil }, lapsed: keyed.lapsed };

export interface OpenIntentsDeps extends Pick<Runtime, 'wait'> {
  readonly providers: Providers;
  readonly providerAllowance: ProviderAllowance;
  readonly metrics: Metrics;
}

/** An intent of a kind that is opened here. */
export interface OpeningIntent extends Intent {
  readonly mode: Mode;
}

/** How intents of a kind, `I`, are opened: they become objects, `T`, by what a provider issues. `Held` is why an intent cannot be stored. */
export interface OpeningKind<I extends OpeningIntent, T, Issued, Held> {
  readonly intents: IntentStore<I, T, Held>;
  readonly idOf: (intent: I) => string;
  /** The intent of a retry, under the id of `left`, which an earlier request left; undefined where that was dropped. */
  readonly resumed: (id: string, intent: I, left: I | undefined) => I;
  readonly providerOf: (intent: I) => ProviderName;
  readonly open: (issuer: AccountIssuer, intent: I) => Promise<Issued>;
}

/** Why the provider is not asked for an intent. */
export type NotAdmitted = 'not_enabled' | ProviderBusy;

/** Why a provider opened no account, as far as it answered. */
export type NotOpened = ProviderRefusal | OutcomeUnknown | ProviderUnavailable | ProviderBusy;

/** An intent whose provider is not asked. */
interface Unasked<I> {
  readonly kind: 'not_admitted';
  readonly intent: I;
  readonly reason: NotAdmitted;
}

/** An intent that an earlier request with the same Idempotency-Key, or the sweeper, has settled. */
interface Settled<T> {
  readonly kind: 'settled';
  readonly object: T;
}

/**
 * What became of an intent. `mayExist`: the account may be open all the same, since an earlier request asked for it too, or since no answer
 * came; such an intent stays, for a retry or the sweeper.
 */
export type OpenedIntent<I, T, Issued> =
  | Unasked<I>
  | Settled<T>
  | { readonly kind: 'opened'; readonly intent: I; readonly issued: Issued }
  | { readonly kind: 'not_opened'; readonly intent: I; readonly error: NotOpened; readonly mayExist: boolean };

/** An intent to work on. `isResumed`: an earlier request began it, so the provider may already have done what it is asked for. */
interface Begun<I> {
  readonly kind: 'begun';
  readonly intent: I;
  readonly isResumed: boolean;
}

/** Charges a new intent to its business's allowance; undefined when its provider may be asked. */
type Admit<I> = (intent: I) => Promise<NotAdmitted | undefined>;

const isInterrupted = (outcome: unknown): outcome is Interrupted =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'interrupted';

/** Whether a dependency of ours kept the provider from being asked. */
export const isOurFault = (error: unknown): boolean =>
  error instanceof ProviderUnavailable && error.cause instanceof DependencyUnavailable;

/** Continues with what an earlier request with the same Idempotency-Key left. */
const resume = async <I extends OpeningIntent, T, Issued, Held>(
  kind: OpeningKind<I, T, Issued, Held>,
  wanted: readonly I[],
  claim: Omit<Claim, 'intents'>,
  lapsed: Claim,
  admit: Admit<I>,
  tries = wanted.length + 1,
): Promise<readonly (Begun<I> | Unasked<I> | Settled<T>)[] | Answered | Held> => {
  if (tries === 0) throw new Error('An intent is neither open nor an object that can be read.');
  const resumed = await Promise.all(
    wanted.map(async (intent, i): Promise<Begun<I> | Unasked<I> | Settled<T>> => {
      const id = lapsed.intents[i] ?? kind.idOf(intent);
      const left = await kind.intents.find(id);
      if (left?.kind === 'created') return { kind: 'settled', object: left.object };
      // An intent that is still there was charged when it was begun.
      const reason = left ? undefined : await admit(intent);
      if (reason) return { kind: 'not_admitted', intent, reason };
      // A new version, so that a sweeper that is settling the old version does not settle this one.
      const version = (left?.intent.version ?? intent.version) + 1;
      return { kind: 'begun', intent: { ...kind.resumed(id, intent, left?.intent), version }, isResumed: true };
    }),
  );
  const again = resumed.flatMap((begun) => (begun.kind === 'begun' ? [begun.intent] : []));
  const taken = await kind.intents.takeOver(lapsed, { ...claim, intents: lapsed.intents }, again);
  // The sweeper has opened one of them since it was looked up. An object stays, so fewer intents are left each time.
  if (taken === 'settled') return resume(kind, wanted, claim, lapsed, admit, tries - 1);
  return taken === 'begun' ? resumed : (taken as Answered | Held);
};

/** Stores the intents of a request, except those that are not admitted. A retry continues with those that are left, and is not charged again. */
const begin = async <I extends OpeningIntent, T, Issued, Held>(
  kind: OpeningKind<I, T, Issued, Held>,
  wanted: readonly I[],
  { claim, lapsed }: Partial<Claiming>,
  admit: Admit<I>,
): Promise<readonly (Begun<I> | Unasked<I> | Settled<T>)[] | Answered | Held> => {
  if (claim && lapsed) return resume(kind, wanted, claim, lapsed, admit);
  const claimed = claim && { ...claim, intents: wanted.map(kind.idOf) };
  const decided = await Promise.all(
    wanted.map(async (intent): Promise<Begun<I> | Unasked<I>> => {
      const reason = await admit(intent);
      return reason ? { kind: 'not_admitted', intent, reason } : { kind: 'begun', intent, isResumed: false };
    }),
  );
  const fresh = decided.flatMap((admitted) => (admitted.kind === 'begun' ? [admitted.intent] : []));
  if (fresh.length === 0) return decided;
  const begun = await kind.intents.begin(fresh, claimed);
  if (begun === 'begun') return decided;
  if (!isInterrupted(begun)) return begun as Answered | Held;
  if (!claim) throw new Error('A request without an Idempotency-Key met the claim of another.');
  return resume(kind, wanted, claim, begun.claim, admit);
};

/** Asks the provider of an intent, and counts its failure in live mode. Throws what is no answer of a provider. */
const ask = async <I extends OpeningIntent, T, Issued, Held>(
  deps: OpenIntentsDeps,
  { providerOf, open }: OpeningKind<I, T, Issued, Held>,
  { intent, isResumed }: Begun<I>,
): Promise<OpenedIntent<I, T, Issued>> => {
  try {
    const issuer = requireProvider(deps.providers(intent.mode, providerOf(intent)));
    const issued = await withTimeout(deps, PROVIDER_TIMEOUT, open(issuer, intent));
    return { kind: 'opened', intent, issued };
  } catch (error) {
    if (!(error instanceof ProviderRefusal) && !isUnanswered(error)) throw error;
    if (intent.mode === 'live' && isProviderFailure(error) && !isOurFault(error)) deps.metrics('provider_failures', 1);
    // With no reference left, nobody will get the account: a retry begins anew.
    const mayExist = !(error instanceof NoReferenceLeft) && (isResumed || error instanceof OutcomeUnknown);
    return { kind: 'not_opened', intent, error, mayExist };
  }
};

/**
 * Opens the intents of a request: stores them before a provider is called, then asks all providers at once. An intent whose business has used up its
 * allowance is not stored. A retry after a crash or time-out continues with the same intents under the same ids; an intent that was dropped is
 * made again under its id. Where another request has used the key since it was looked up, or an intent cannot be stored, nothing is written
 * and that outcome is returned. The caller writes the outcomes.
 * @throws the refusals idempotency_in_progress, idempotency_key_reused.
 */
export const openIntents = async <I extends OpeningIntent, T, Issued, Held>(
  deps: OpenIntentsDeps,
  kind: OpeningKind<I, T, Issued, Held>,
  asker: Asker,
  wanted: readonly I[],
  claimed: Claiming | undefined,
): Promise<readonly OpenedIntent<I, T, Issued>[] | Answered | Held> => {
  const issuerOf = (intent: I) => deps.providers(intent.mode, kind.providerOf(intent));
  for (const intent of wanted) issuerOf(intent)?.prefetchHealth?.('creations');
  const begun = await begin(kind, wanted, claimed ?? {}, async (intent) =>
    issuerOf(intent) ? deps.providerAllowance.charge(asker, kind.providerOf(intent), 'creations') : 'not_enabled',
  );
  if (!Array.isArray(begun)) return begun as Answered | Held;
  return Promise.all(
    (begun as readonly (Begun<I> | Unasked<I> | Settled<T>)[]).map(async (one) =>
      one.kind === 'begun' ? ask(deps, kind, one) : one,
    ),
  );
};

/** Lets a retry with the same Idempotency-Key begin at once: with the intents that are left of this request (`isLeft`), or with new ones. */
export const endClaim = async <I extends Intent, T, Held>(
  intents: IntentStore<I, T, Held>,
  claimed: Claiming | undefined,
  ids: readonly string[],
  isLeft: boolean,
): Promise<void> => {
  if (!claimed) return;
  const claim = { ...claimed.claim, intents: [...ids] };
  await (isLeft ? intents.release(claim) : intents.forget(claim));
};
