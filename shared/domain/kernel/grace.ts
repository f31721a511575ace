import { NotPossible } from './not-possible.ts';
import { DAY, type Millis } from './time.ts';

/** How long a rolled key or a replaced webhook secret still works by default, and at most. */
export const DEFAULT_GRACE: Millis = DAY;
export const LONGEST_GRACE: Millis = 7 * DAY;

/** @throws NotPossible for a grace that is not a whole number of milliseconds from 0 to seven days. `replaced` names what it is for. */
export const ensureGrace = (grace: Millis, replaced: string): void => {
  if (Number.isSafeInteger(grace) && grace >= 0 && grace <= LONGEST_GRACE) return;
  throw new NotPossible(`The grace period of ${replaced} must be between 0 and 7 days.`);
};
