import { SECOND } from '#shared/domain/kernel/time.ts';
import type { Claim } from '#shared/domain/requests/idempotency.ts';
import type { Intent, IntentStore } from '#shared/ports/requests.ts';

/** Longer than any function that calls a provider may run: an intent that is older than this has been abandoned. */
export const INTENT_LEASE = 30 * SECOND;

/** An intent to work on. */
export interface BegunIntent<I extends Intent> {
  readonly kind: 'begun';
  readonly intent: I;
  /** An earlier request began it, so the provider may have done what it is about to be asked for. */
  readonly isResumed: boolean;
}

/** What a request works on: a fresh intent, or what an earlier request with its Idempotency-Key has left. */
export type Begun<I extends Intent, T> = BegunIntent<I> | { readonly kind: 'settled'; readonly object: T };

/** How a kind of intent is named. */
export interface Naming<I extends Intent> {
  readonly idOf: (intent: I) => string;
  /** The same intent under another id; `left` is what an earlier request has left there. */
  readonly under: (id: string, intent: I, left: I | undefined) => I;
}

/**
 * Stores what is wanted before a provider is called (architecture.md section 6). A retry after a crash or time-out continues
 * with the same intents under the same ids; one that was dropped is made again under its id.
 * @throws AnsweredBefore; ReferenceHeld; the refusals idempotency_in_progress, idempotency_key_reused.
 */
export const beginIntents = async <I extends Intent, T>(
  intents: IntentStore<I, T>,
  { idOf, under }: Naming<I>,
  wanted: readonly I[],
  claim: Omit<Claim, 'intents'> | undefined,
): Promise<readonly Begun<I, T>[]> => {
  const claimed = claim && { ...claim, intents: wanted.map(idOf) };
  const begun = await intents.begin(wanted, claimed);
  if (begun === 'begun' || !claim) return wanted.map((intent) => ({ kind: 'begun', intent, isResumed: false }));
  const found = await Promise.all(begun.intents.map((id) => intents.find(id)));
  const resumed = wanted.map((intent, i): Begun<I, T> => {
    const left = found[i];
    if (left?.kind === 'created') return { kind: 'settled', object: left.object };
    // A new version, so that a sweeper that is settling the old one does not settle this one.
    const version = (left?.intent.version ?? intent.version) + 1;
    const next = under(begun.intents[i] ?? idOf(intent), intent, left?.intent);
    return { kind: 'begun', intent: { ...next, version }, isResumed: true };
  });
  const again = resumed.flatMap((one) => (one.kind === 'begun' ? [one.intent] : []));
  await intents.takeOver(begun, { ...claim, intents: begun.intents }, again);
  return resumed;
};
