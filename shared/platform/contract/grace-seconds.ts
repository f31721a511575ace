import * as z from 'zod/mini';
import { LONGEST_GRACE } from '#shared/platform/kernel/grace.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';

const MAX_SECONDS = LONGEST_GRACE / SECOND;

/** The seconds for which a replaced key or secret still works. */
export const graceSeconds = z
  .int('must be a whole number of seconds.')
  .check(z.gte(0, 'must be at least 0.'), z.lte(MAX_SECONDS, `must be at most ${MAX_SECONDS}, which is seven days.`));
