import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Claim, Interrupted, KeyedRequest } from '#shared/platform/requests/idempotency.ts';
import type { Answered } from '#shared/platform/requests/ports.ts';
import type { ProviderBusy } from '#shared/providers/domain/errors.ts';
import type { Intent, IntentStore } from '#shared/providers/intent-ports.ts';

/** Longer than any function that calls a provider may run: the request of an older intent was interrupted. Milliseconds. */
export const INTENT_LEASE = 30 * SECOND;

/** The claim of a request, without its intents, and that of the interrupted one which it continues. */
export interface Claiming {
  readonly claim: Omit<Claim, 'intents'>;
  readonly lapsed: Claim | undefined;
}

/** The claim of a request that works until `leaseUntil`; undefined without an Idempotency-Key. */
export const claiming = (keyed: KeyedRequest | undefined, leaseUntil: Millis): Claiming | undefined =>
  keyed && { claim: { ...keyed.own, leaseUntil }, lapsed: keyed.lapsed };

/** An intent to work on. */
export interface BegunIntent<I extends Intent> {
  readonly kind: 'begun';
  readonly intent: I;
  /** An earlier request began it, so the provider may already have done what it is asked for. */
  readonly isResumed: boolean;
}

/** Why the provider is not asked for an intent. */
export type NotAdmitted = 'not_enabled' | ProviderBusy;

/** The intent that a request works on, the object that an earlier request with its Idempotency-Key opened, or why its provider is not asked. */
export type Begun<I extends Intent, T> =
  | BegunIntent<I>
  | { readonly kind: 'settled'; readonly object: T }
  | { readonly kind: 'not_admitted'; readonly intent: I; readonly reason: NotAdmitted };

/** Charges a new intent to its business's allowance; undefined when its provider may be asked. */
export type Admit<I extends Intent> = (intent: I) => Promise<NotAdmitted | undefined>;

/** How intents of a kind are identified. */
export interface Naming<I extends Intent> {
  readonly idOf: (intent: I) => string;
  /** The same intent under another id; `left`: the intent that an earlier request left there. */
  readonly under: (id: string, intent: I, left: I | undefined) => I;
}

const isInterrupted = (outcome: unknown): outcome is Interrupted =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'interrupted';

/** Continues with what an earlier request with the same Idempotency-Key left. */
const resume = async <I extends Intent, T, Held>(
  intents: IntentStore<I, T, Held>,
  naming: Naming<I>,
  wanted: readonly I[],
  claim: Omit<Claim, 'intents'>,
  lapsed: Claim,
  admit: Admit<I>,
  tries = wanted.length + 1,
): Promise<readonly Begun<I, T>[] | Answered | Held> => {
  if (tries === 0) throw new Error('An intent is neither open nor an object that can be read.');
  const resumed = await Promise.all(
    wanted.map(async (intent, i): Promise<Begun<I, T>> => {
      const id = lapsed.intents[i] ?? naming.idOf(intent);
      const left = await intents.find(id);
      if (left?.kind === 'created') return { kind: 'settled', object: left.object };
      // An intent that is still there was charged when it was begun.
      const reason = left ? undefined : await admit(intent);
      if (reason) return { kind: 'not_admitted', intent, reason };
      // A new version, so that a sweeper that is settling the old version does not settle this one.
      const version = (left?.intent.version ?? intent.version) + 1;
      return { kind: 'begun', intent: { ...naming.under(id, intent, left?.intent), version }, isResumed: true };
    }),
  );
  const again = resumed.flatMap((begun) => (begun.kind === 'begun' ? [begun.intent] : []));
  const taken = await intents.takeOver(lapsed, { ...claim, intents: lapsed.intents }, again);
  // The sweeper has opened one of them since it was looked up. An object stays, so fewer intents are left each time.
  if (taken === 'settled') return resume(intents, naming, wanted, claim, lapsed, admit, tries - 1);
  return taken === 'begun' ? resumed : (taken as Answered | Held);
};

/**
 * Stores the intents of a request before a provider is called (architecture.md section 6), except those that are not admitted. A retry
 * after a crash or time-out continues with the same intents under the same ids, and is not charged again; an intent that was dropped is
 * made again under its id. Where another request has used the key since it was looked up, or an intent cannot be stored, nothing is
 * written and that outcome is returned.
 * @throws the refusals idempotency_in_progress, idempotency_key_reused.
 */
export const beginIntents = async <I extends Intent, T, Held>(
  intents: IntentStore<I, T, Held>,
  naming: Naming<I>,
  wanted: readonly I[],
  { claim, lapsed }: Partial<Claiming> = {},
  admit: Admit<I>,
): Promise<readonly Begun<I, T>[] | Answered | Held> => {
  if (claim && lapsed) return resume(intents, naming, wanted, claim, lapsed, admit);
  const claimed = claim && { ...claim, intents: wanted.map(naming.idOf) };
  const decided = await Promise.all(
    wanted.map(async (intent): Promise<Begun<I, T>> => {
      const reason = await admit(intent);
      return reason ? { kind: 'not_admitted', intent, reason } : { kind: 'begun', intent, isResumed: false };
    }),
  );
  const fresh = decided.flatMap((admitted) => (admitted.kind === 'begun' ? [admitted.intent] : []));
  if (fresh.length === 0) return decided;
  const begun = await intents.begin(fresh, claimed);
  if (begun === 'begun') return decided;
  if (!isInterrupted(begun)) return begun as Answered | Held;
  if (!claim) throw new Error('A request without an Idempotency-Key met the claim of another.');
  return resume(intents, naming, wanted, claim, begun.claim, admit);
};
