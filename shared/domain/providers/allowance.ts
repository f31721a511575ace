import * as z from 'zod/mini';
import { count } from '#shared/domain/kernel/schemas.ts';
import { type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/**
 * How many accounts each business may open at each provider, virtual accounts and those of live checkouts together, within windows of so
 * many seconds; and as many it may close, and as many checkouts expire by hand. Zero creations: no limit. Well below what a provider gives us for all businesses.
 */
export const creationAllowance = z.object({
  creations: count,
  seconds: z.int().check(z.gte(1), z.lte(60)),
});
export type CreationAllowance = z.infer<typeof creationAllowance>;

/** The window of an allowance at a time: its number, and its end in milliseconds since the epoch. */
export const windowOf = ({ seconds }: CreationAllowance, now: Millis): { number: number; endsAt: Millis } => {
  const number = Math.floor(now / (seconds * SECOND));
  return { number, endsAt: (number + 1) * seconds * SECOND };
};
