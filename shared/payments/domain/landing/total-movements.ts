import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/** What a provider keeps of a cumulative report, and what it has returned of it in all, in kobo. */
export interface Position {
  readonly kept: Kobo;
  readonly returned: Kobo;
}

/**
 * What happened to the money of a cumulative report, in kobo. `credited`: it counts now. `reversed`: it counted and was returned. `returned`:
 * it never counted and was returned.
 */
export interface Movement {
  readonly kind: 'credited' | 'reversed' | 'returned';
  readonly amount: Kobo;
}

const NOTHING: Position = { kept: ZERO_KOBO, returned: ZERO_KOBO };

/** The movements from one position to the next, in the order in which they are recorded and announced. */
export const findMovements = (before: Position = NOTHING, now: Position): readonly Movement[] => {
  const more = subtractDownToZero(now.kept, before.kept);
  const less = subtractDownToZero(before.kept, now.kept);
  // What is returned together with all the rest is part of that reversal.
  const isAllReturned = less > 0 && now.kept === 0;
  const neverCounted = isAllReturned
    ? ZERO_KOBO
    : subtractDownToZero(subtractDownToZero(now.returned, before.returned), less);
  return [
    ...(more > 0 ? [{ kind: 'credited', amount: more } as const] : []),
    ...(less > 0 ? [{ kind: 'reversed', amount: less } as const] : []),
    ...(neverCounted > 0 ? [{ kind: 'returned', amount: neverCounted } as const] : []),
  ];
};

/** Longer than the clocks of our containers differ, and than one server of a provider lags behind another. */
export const STALE_READ_MARGIN = 30 * SECOND;

/** A total as it was recorded: kobo kept, how often it fell, and when its report was recorded. */
interface RecordedTotal {
  readonly kept: Kobo;
  readonly falls: number;
  readonly observedAt: Millis;
}

/**
 * Whether a report may be older than the total that it contradicts. An older report of a growing total is recognised by its time alone.
 * Where money was returned, before or by this report, an older one looks the same as a newer one: the report must have been asked for
 * well after the total was recorded. `askedAt`: 0 where that is not known.
 */
export const isStale = (before: RecordedTotal, now: { readonly kept: Kobo; readonly askedAt: Millis }): boolean => {
  if (now.kept === before.kept) return false;
  const margin = now.kept > before.kept && before.falls === 0 ? 0 : STALE_READ_MARGIN;
  return now.askedAt < before.observedAt + margin;
};
