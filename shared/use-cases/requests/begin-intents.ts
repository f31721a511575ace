import { SECOND } from '#shared/domain/kernel/time.ts';
import type { Claim } from '#shared/domain/requests/idempotency.ts';
import type { Intent, IntentOutcome, IntentStore } from '#shared/ports/requests.ts';

/** Longer than any function that calls a provider may run: what is still an intent then has been abandoned. */
export const INTENT_LEASE = 30 * SECOND;

/** What a request works on: fresh intents, or what an earlier request with its Idempotency-Key has left of its own. */
export type Begun<I extends Intent> =
  /** `isResumed`: the provider may have done already what it is going to be asked for. */
  { readonly intent: I; readonly isResumed: boolean } | { readonly settled: Exclude<IntentOutcome, Intent> };

const idOf = (intent: Intent): string => ('id' in intent ? intent.id : intent.reference);

/**
 * Stores what is wanted before a provider is called (architecture.md section 6). A retry after a crash or time-out goes on
 * with the same intents under the same references: `under` makes an intent over again for one that was dropped.
 * @throws AnsweredBefore; the refusals idempotency_in_progress, idempotency_key_reused, duplicate_merchant_reference.
 */
export const beginIntents = async <I extends Intent>(
  deps: { intents: IntentStore },
  wanted: readonly I[],
  under: (id: string, wanted: I) => I,
  claim: Omit<Claim, 'intents'> | undefined,
): Promise<readonly Begun<I>[]> => {
  const claimed = claim && { ...claim, intents: wanted.map(idOf) };
  const begun = await deps.intents.begin(wanted, claimed);
  if (begun === 'begun' || !claim) return wanted.map((intent) => ({ intent, isResumed: false }));
  const found = await Promise.all(begun.intents.map((id) => deps.intents.find(id)));
  const resumed = wanted.map((intent, i): Begun<I> => {
    const left = found[i];
    if (left && left.status !== 'opening') return { settled: left };
    // A version of its own, so that a sweeper that was settling the old one does not settle this one.
    const version = (left?.version ?? intent.version) + 1;
    return { intent: { ...under(begun.intents[i] ?? idOf(intent), intent), version }, isResumed: true };
  });
  const again = resumed.flatMap((one) => ('intent' in one ? [one.intent] : []));
  await deps.intents.takeOver(begun, { ...claim, intents: begun.intents }, again);
  return resumed;
};
