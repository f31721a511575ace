import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { Position } from './position.ts';

/**
 * What happened to the money of a source, in kobo. `credited`: it counts now. `reversed`: it counted and was returned. `returned`:
 * it never counted and was returned. `reinstated`: a transfer was returned before and is kept after all.
 */
export interface Movement {
  readonly kind: 'credited' | 'reversed' | 'returned' | 'reinstated';
  readonly amount: Kobo;
}

/** The movements from one position of a source to the next, in the order in which they are recorded and announced. Pure. */
export const diff = (
  before: Pick<Position, 'kept' | 'returned'> | undefined,
  now: Pick<Position, 'source' | 'kept' | 'returned'>,
): readonly Movement[] => {
  const { kept, returned } = before ?? { kept: ZERO_KOBO, returned: ZERO_KOBO };
  const more = subtractDownToZero(now.kept, kept);
  const less = subtractDownToZero(kept, now.kept);
  const isReinstated = now.source.kind === 'transfer' && returned > 0;
  // What is returned together with all the rest is part of that reversal.
  const neverCounted =
    less > 0 && now.kept === 0 ? ZERO_KOBO : subtractDownToZero(subtractDownToZero(now.returned, returned), less);
  return [
    ...(more > 0 ? [{ kind: isReinstated ? 'reinstated' : 'credited', amount: more } as const] : []),
    ...(less > 0 ? [{ kind: 'reversed', amount: less } as const] : []),
    ...(neverCounted > 0 ? [{ kind: 'returned', amount: neverCounted } as const] : []),
  ];
};
