import { LONGEST_GRACE } from './grace.ts';
import { NotPossible } from './not-possible.ts';
import type { Millis } from './time.ts';

/**
 * Checks that a grace period in milliseconds is between 0 and 7 days. `replaced`: the kind of object that is replaced, for the message.
 * @throws NotPossible for any other grace period.
 */
export const ensureGrace = (grace: Millis, replaced: string): void => {
  if (Number.isSafeInteger(grace) && grace >= 0 && grace <= LONGEST_GRACE) return;
  throw new NotPossible(`The grace period of ${replaced} must be between 0 and 7 days.`);
};
