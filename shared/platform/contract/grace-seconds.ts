import * as z from 'zod/mini';
import { LONGEST_GRACE } from '#shared/platform/kernel/grace.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';

const MOST = LONGEST_GRACE / SECOND;

/** The seconds for which what is replaced still works. */
export const graceSeconds = z
  .int('must be a whole number of seconds.')
  .check(z.gte(0, 'must be at least 0.'), z.lte(MOST, `must be at most ${MOST}, which is seven days.`));
