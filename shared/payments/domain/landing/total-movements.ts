import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/** The sums of a cumulative report in kobo: the money that the provider keeps, and all money that it has returned. */
export interface Position {
  readonly kept: Kobo;
  readonly returned: Kobo;
}

/**
 * A change of a cumulative report, in kobo. `credited`: the money counts now. `reversed`: it counted and was returned. `rejected`: it was returned
 * before it counted.
 */
export interface Movement {
  readonly kind: 'credited' | 'reversed' | 'rejected';
  readonly amount: Kobo;
}

const NOTHING: Position = { kept: ZERO_KOBO, returned: ZERO_KOBO };

/** Finds the movements from one position to the next, in the order in which they are recorded and announced. */
export const findMovements = (before: Position = NOTHING, now: Position): readonly Movement[] => {
  const more = subtractDownToZero(now.kept, before.kept);
  const less = subtractDownToZero(before.kept, now.kept);
  // If nothing is kept any more, one reversal covers all returned money, also money that never counted.
  const isAllReturned = less > 0 && now.kept === 0;
  const neverCounted = isAllReturned
    ? ZERO_KOBO
    : subtractDownToZero(subtractDownToZero(now.returned, before.returned), less);
  return [
    ...(more > 0 ? [{ kind: 'credited', amount: more } as const] : []),
    ...(less > 0 ? [{ kind: 'reversed', amount: less } as const] : []),
    ...(neverCounted > 0 ? [{ kind: 'rejected', amount: neverCounted } as const] : []),
  ];
};

/** Milliseconds. Upper bound on the clock differences of our containers, and on the replication lag of a provider. */
export const STALE_READ_MARGIN = 30 * SECOND;

/** A total as it was recorded: kobo kept, how often it fell, and when its report was recorded. */
interface RecordedTotal {
  readonly kept: Kobo;
  readonly falls: number;
  readonly observedAt: Millis;
}

/**
 * Whether a report may be older than the total that it contradicts. For a total that only grew, the time alone tells. If money was returned before
 * or by this report, an older report can look like a newer one, so the report must have been asked for well after the total was recorded.
 * `askedAt`: 0 if it is not known.
 */
export const isStale = (before: RecordedTotal, now: { readonly kept: Kobo; readonly askedAt: Millis }): boolean => {
  if (now.kept === before.kept) return false;
  const margin = now.kept > before.kept && before.falls === 0 ? 0 : STALE_READ_MARGIN;
  return now.askedAt < before.observedAt + margin;
};
