import { DAY, type Millis } from './time.ts';

/** The time for which a rolled key or a replaced webhook secret still works: by default, and at most. */
export const DEFAULT_GRACE: Millis = DAY;
export const LONGEST_GRACE: Millis = 7 * DAY;
