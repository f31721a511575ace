import { LONGEST_GRACE } from './grace.ts';
import { NotPossible } from './not-possible.ts';
import type { Millis } from './time.ts';

/** @throws NotPossible for a grace that is not a whole number of milliseconds from 0 to seven days. `replaced` names what it is for. */
export const ensureGrace = (grace: Millis, replaced: string): void => {
  if (Number.isSafeInteger(grace) && grace >= 0 && grace <= LONGEST_GRACE) return;
  throw new NotPossible(`The grace period of ${replaced} must be between 0 and 7 days.`);
};
