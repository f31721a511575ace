import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Claim, Interrupted, KeyedRequest } from '#shared/platform/requests/idempotency.ts';
import type { Answered } from '#shared/platform/requests/ports.ts';
import type { ProviderBusy } from '#shared/providers/domain/errors.ts';
import type { Intent, IntentStore } from '#shared/providers/intent-ports.ts';
import {
  type AskingKind,
  type AskOutcome,
  type AskProvidersDeps,
  askProviders,
  type IntentTenant,
  type StartedIntent,
} from './ask-providers.ts';

/*
 * Opens checkouts and virtual accounts: stores the intent, asks the provider, and writes the outcome (architecture.md section 6). A checkout
 * may move on to the next provider; a virtual account has one (ask-providers.ts). settle-intent.ts settles intents after a crash or a lost answer.
 */

/** Milliseconds after which the request of an intent was certainly interrupted: no function that calls a provider runs longer. */
export const INTENT_LEASE = 30 * SECOND;

/** The claim of a request, without its intents, and the lapsed claim of the interrupted request that it continues. */
export interface PreparedClaim {
  readonly claim: Omit<Claim, 'intents'>;
  readonly lapsed: Claim | undefined;
}

/** Prepares the claim of a request that works until `leaseUntil`; undefined without an Idempotency-Key. */
export const prepareClaim = (keyed: KeyedRequest | undefined, leaseUntil: Millis): PreparedClaim | undefined =>
  keyed && { claim: { ...keyed.own, leaseUntil }, lapsed: keyed.lapsed };

/** The reason why no provider is asked for an intent. */
export type NotAdmittedReason = 'not_enabled' | ProviderBusy;

/** An intent for which no provider is asked. */
export interface UnadmittedIntent<I> {
  readonly kind: 'not_admitted';
  readonly intent: I;
  readonly reason: NotAdmittedReason;
}

/** An intent that an earlier request with the same Idempotency-Key, or the sweeper, has settled. */
interface SettledIntent<T> {
  readonly kind: 'settled';
  readonly object: T;
}

/** The outcome of an intent. */
export type OpenedIntent<I, T, Issued> = UnadmittedIntent<I> | SettledIntent<T> | AskOutcome<I, Issued>;

/** Defines how intents of a kind, `I`, become objects, `T`, when a provider issues an account. `Held` tells why an intent cannot be stored. */
export interface OpeningKind<I extends Intent & IntentTenant, T, Issued, Held> extends AskingKind<I, Issued> {
  readonly intents: IntentStore<I, T, Held>;
  readonly readId: (intent: I) => string;
  /** Builds the intent of a retry, under the id of the earlier intent. `earlier` is that intent; undefined if it was dropped. */
  readonly resumeIntent: (id: string, intent: I, earlier: I | undefined) => I;
  /** Charges a new intent to the business's quota, and chooses the provider to ask first if there are several. */
  readonly admit: (intent: I) => Promise<StartedIntent<I> | UnadmittedIntent<I>>;
}

const isInterrupted = (outcome: unknown): outcome is Interrupted =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'interrupted';

/** Makes the functions that begin or resume the intents of one request. */
const createOpening = <I extends Intent & IntentTenant, T, Issued, Held>(
  deps: AskProvidersDeps,
  kind: OpeningKind<I, T, Issued, Held>,
  requestedIntents: readonly I[],
) => {
  type Started = StartedIntent<I> | UnadmittedIntent<I> | SettledIntent<T>;
  type Ended = Answered | Held;
  const { intents } = kind;
  const findIssuer = (intent: I) => deps.providers(intent.mode, kind.findProvider(intent));
  const intentsToAsk = (all: readonly Started[]) =>
    all.flatMap((entry) => (entry.kind === 'begun' ? [entry.intent] : []));

  /** Continues an intent of an earlier request with the same Idempotency-Key. If it still exists, it was charged when it was begun. */
  const resumeOne = async (intent: I, id: string): Promise<Started> => {
    const earlier = await intents.find(id);
    if (earlier?.kind === 'created') return { kind: 'settled', object: earlier.object };
    const admitted = earlier ? undefined : await kind.admit(intent);
    if (admitted?.kind === 'not_admitted') return admitted;
    // A new version keeps a sweeper that works on the old version from settling this one.
    const version = (earlier?.intent.version ?? intent.version) + 1;
    const resumed = kind.resumeIntent(id, admitted?.intent ?? intent, earlier?.intent);
    return { kind: 'begun', intent: { ...resumed, version }, isResumed: true };
  };

  const resume = async (claim: Omit<Claim, 'intents'>, lapsed: Claim): Promise<readonly Started[] | Ended> => {
    // The sweeper may turn an intent into an object after we read it; then we try again. An object never becomes an intent again, so this ends.
    for (let tries = requestedIntents.length + 1; tries > 0; tries -= 1) {
      const resumed = await Promise.all(
        requestedIntents.map((intent, i) => resumeOne(intent, lapsed.intents[i] ?? kind.readId(intent))),
      );
      const taken = await intents.takeOver(lapsed, { ...claim, intents: lapsed.intents }, intentsToAsk(resumed));
      if (taken !== 'settled') return taken === 'begun' ? resumed : (taken as Ended);
    }
    throw new Error('An intent is neither open nor an object that can be read.');
  };

  const begin = async ({ claim, lapsed }: Partial<PreparedClaim>): Promise<readonly Started[] | Ended> => {
    if (claim && lapsed) return resume(claim, lapsed);
    const claimed = claim && { ...claim, intents: requestedIntents.map(kind.readId) };
    const decided = await Promise.all(requestedIntents.map(kind.admit));
    const fresh = intentsToAsk(decided);
    if (fresh.length === 0) return decided;
    const begun = await intents.begin(fresh, claimed);
    if (begun === 'begun') return decided;
    if (!isInterrupted(begun)) return begun as Ended;
    if (!claim) throw new Error('A request without an Idempotency-Key met the claim of another.');
    return resume(claim, begun.claim);
  };

  return { findIssuer, begin };
};

/**
 * Opens the intents of a request. It stores the admitted ones, then asks all providers at once; the caller writes the outcomes. A retry after a crash
 * or time-out continues with the same intents under the same ids and is not charged again. An intent that was dropped meanwhile is charged and
 * created again, under its old id. If another request has used the key meanwhile, or an intent cannot be stored, nothing is written and that outcome
 * is returned.
 * @throws ApiError idempotency_in_progress, idempotency_key_reused.
 */
export const openIntents = async <I extends Intent & IntentTenant, T, Issued, Held>(
  deps: AskProvidersDeps,
  kind: OpeningKind<I, T, Issued, Held>,
  requestedIntents: readonly I[],
  claimed: PreparedClaim | undefined,
): Promise<readonly OpenedIntent<I, T, Issued>[] | Answered | Held> => {
  const { findIssuer, begin } = createOpening(deps, kind, requestedIntents);
  for (const intent of requestedIntents) findIssuer(intent)?.prefetchHealth?.('creations');
  const begun = await begin(claimed ?? {});
  if (!Array.isArray(begun)) return begun as Answered | Held;
  const started = begun as readonly (StartedIntent<I> | UnadmittedIntent<I> | SettledIntent<T>)[];
  return Promise.all(started.map(async (entry) => (entry.kind === 'begun' ? askProviders(deps, kind, entry) : entry)));
};

/** Lets a retry with the same Idempotency-Key begin at once: with the stored intents if some are left (`isAnyLeft`), else with new ones. */
export const endClaim = async <I extends Intent, T, Held>(
  intents: IntentStore<I, T, Held>,
  claimed: PreparedClaim | undefined,
  ids: readonly string[],
  isAnyLeft: boolean,
): Promise<void> => {
  if (!claimed) return;
  const claim = { ...claimed.claim, intents: [...ids] };
  await (isAnyLeft ? intents.release(claim) : intents.forget(claim));
};
