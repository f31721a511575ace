import * as z from 'zod/mini';
import { count } from '#shared/domain/kernel/schemas.ts';
import type { Asker } from '#shared/domain/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/**
 * How many accounts each business may open at each provider within windows of so many seconds. Zero of something: no limit of it. All
 * that a business may do is well below what a provider gives us for all businesses.
 */
export const creationAllowance = z.object({
  /** By its servers: virtual accounts and those of live checkouts together. They may close as many, and expire as many checkouts by hand. */
  creations: count,
  /** By all browsers that have its public key, for live checkouts. Its servers have theirs beside it. */
  publicCreations: count,
  /** By one of these browsers' addresses (with IPv6 its /64), out of what all of them may. */
  addressCreations: count,
  seconds: z.int().check(z.gte(1), z.lte(60)),
});
export type CreationAllowance = z.infer<typeof creationAllowance>;

/** What a business makes us ask of a provider, each counted against an allowance of its own. */
export type AllowedWork = 'creations' | 'closings' | 'expiries';

/** A part of an allowance: whose it is, in words that no other part has, and how much a window has of it. */
export interface Share {
  readonly name: 'secret' | 'public' | 'address';
  readonly bucket: string;
  readonly quota: number;
}

/**
 * The shares that a piece of work is charged to, in this order. What browsers do takes nothing from servers. A browser's address comes
 * first: what it is refused costs the others nothing, so that no stranger uses up what all payers have.
 */
export const sharesOf = (allowance: CreationAllowance, { kind, addressBlock }: Asker): readonly Share[] => {
  const shares: Record<Asker['kind'], readonly Share[]> = {
    secret: [{ name: 'secret', bucket: 'secret', quota: allowance.creations }],
    public: [
      { name: 'address', bucket: `public#${addressBlock}`, quota: allowance.addressCreations },
      { name: 'public', bucket: 'public', quota: allowance.publicCreations },
    ],
  };
  return shares[kind].filter(({ quota }) => quota > 0);
};

/** The window of an allowance at a time: its number, and its end in milliseconds since the epoch. */
export const windowOf = ({ seconds }: CreationAllowance, now: Millis): { number: number; endsAt: Millis } => {
  const number = Math.floor(now / (seconds * SECOND));
  return { number, endsAt: (number + 1) * seconds * SECOND };
};
