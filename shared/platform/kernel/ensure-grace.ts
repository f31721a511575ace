import { LONGEST_GRACE } from './grace.ts';
import { NotPossible } from './not-possible.ts';
import type { Millis } from './time.ts';

/** Checks that a grace is 0 to 7 days, in milliseconds. `replaced`: the kind of object it is for. @throws NotPossible for any other grace. */
export const ensureGrace = (grace: Millis, replaced: string): void => {
  if (Number.isSafeInteger(grace) && grace >= 0 && grace <= LONGEST_GRACE) return;
  throw new NotPossible(`The grace period of ${replaced} must be between 0 and 7 days.`);
};
