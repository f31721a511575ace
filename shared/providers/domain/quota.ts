import * as z from 'zod/mini';
import { count } from '#shared/platform/kernel/schemas.ts';
import type { Asker } from '#shared/platform/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/**
 * How many accounts each business may open at each provider within a window. Zero means no limit. A business's quota is well below
 * what a provider allows us for all businesses together.
 */
export const providerQuota = z.object({
  /** By its servers: virtual accounts and accounts of live checkouts together. As many closings, expiries by hand and requeries are allowed besides. */
  creations: count,
  /** By all browsers with its public key, for live checkouts. Not part of `creations`. */
  publicCreations: count,
  /** By the browsers of one address block, as part of `publicCreations`. */
  addressCreations: count,
  /** The length of a window. */
  seconds: z.int().check(z.gte(1), z.lte(60)),
});
export type ProviderQuota = z.infer<typeof providerQuota>;

/** What a business makes us ask of a provider, each counted against a quota of its own. */
export type QuotaWork = 'creations' | 'closings' | 'expiries' | 'requeries' | 'payer_reports';

/** A share of a quota: the bucket that it is counted in, which no other share of the business has, and its quota per window. */
export interface Share {
  readonly name: 'secret' | 'public' | 'address' | 'address_at_all';
  readonly bucket: string;
  readonly quota: number;
  /** Counted for all businesses together. */
  readonly ofAll?: true;
}

/** What an address may do with the public keys of all businesses together, in parts of one business. */
const BUSINESSES_OF_ADDRESS = 10;
/** What browsers may do in test mode, in times of live mode: no provider is asked, but the checkouts end with webhooks at the business's receivers. */
const TIMES_IN_TEST_MODE = 5;

/**
 * The shares that a piece of work is charged to, in this order. Browsers take nothing from servers, and test mode nothing from live. A
 * browser's address comes first: what is refused there is not charged to the share of all browsers, so that no stranger uses that up.
 */
export const listShares = (settings: ProviderQuota, { kind, mode, addressBlock }: Asker): readonly Share[] => {
  const { creations, publicCreations, addressCreations } = settings;
  const [prefix, times] = mode === 'live' ? ['', 1] : ['test#', TIMES_IN_TEST_MODE];
  const ofAddress = { bucket: `${prefix}public#${addressBlock}`, quota: times * addressCreations };
  const shares: Record<Asker['kind'], readonly Share[]> = {
    secret: [{ name: 'secret', bucket: `${prefix}secret`, quota: creations }],
    public: [
      { name: 'address', ...ofAddress },
      { name: 'address_at_all', ...ofAddress, quota: BUSINESSES_OF_ADDRESS * ofAddress.quota, ofAll: true },
      { name: 'public', bucket: `${prefix}public`, quota: times * publicCreations },
    ],
  };
  return shares[kind].filter(({ quota }) => quota > 0);
};

/** The window of a quota at a time: its number, and its end in milliseconds since the epoch. */
export const findWindow = ({ seconds }: ProviderQuota, now: Millis): { number: number; endsAt: Millis } => {
  const number = Math.floor(now / (seconds * SECOND));
  return { number, endsAt: (number + 1) * seconds * SECOND };
};
