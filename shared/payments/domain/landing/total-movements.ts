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
  const increase = subtractDownToZero(now.kept, before.kept);
  const decrease = subtractDownToZero(before.kept, now.kept);
  // If the provider keeps nothing any more, only the reversal is recorded. No rejection is recorded beside it.
  const isAllReturned = decrease > 0 && now.kept === 0;
  const neverCounted = isAllReturned
    ? ZERO_KOBO
    : subtractDownToZero(subtractDownToZero(now.returned, before.returned), decrease);
  return [
    ...(increase > 0 ? [{ kind: 'credited', amount: increase } as const] : []),
    ...(decrease > 0 ? [{ kind: 'reversed', amount: decrease } as const] : []),
    ...(neverCounted > 0 ? [{ kind: 'rejected', amount: neverCounted } as const] : []),
  ];
};

/** Milliseconds. Upper bound on the clock differences of our containers, and on the replication lag of a provider. */
export const STALE_READ_MARGIN = 30 * SECOND;

/** The recorded cumulative report: kobo kept, how often this amount fell, and when we recorded it. */
interface RecordedTotal {
  readonly kept: Kobo;
  readonly falls: number;
  readonly observedAt: Millis;
}

/**
 * Whether a report may be older than the recorded total. A report of the same kept amount is never stale. If the total has only grown, a report is newer
 * if it was asked for after the total was recorded. If the total fell before, or falls with this report, an older report can look like a newer one. Then
 * the report must have been asked for at least STALE_READ_MARGIN after the total was recorded. `askedAt`: 0 if it is not known.
 */
export const isStale = (before: RecordedTotal, now: { readonly kept: Kobo; readonly askedAt: Millis }): boolean => {
  if (now.kept === before.kept) return false;
  const margin = now.kept > before.kept && before.falls === 0 ? 0 : STALE_READ_MARGIN;
  return now.askedAt < before.observedAt + margin;
};
