import * as z from 'zod/mini';
import { count } from '#shared/platform/kernel/schemas.ts';
import type { Requester } from '#shared/platform/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/**
 * The number of accounts that each business may open at each provider within a window. Zero means no limit. A business's quota is well below
 * the provider's limit for all businesses together.
 */
export const providerQuota = z.object({
  /**
   * Opened by its servers: virtual accounts and accounts of live checkouts together. The same number limits closings, expiries by hand and
   * requeries, each separately.
   */
  creations: count,
  /** Opened by all browsers with its public key, for live checkouts. Not part of `creations`. */
  publicCreations: count,
  /** Opened by the browsers of one address block. A part of `publicCreations`. */
  addressCreations: count,
  /** The length of a window, in seconds. */
  seconds: z.int().check(z.gte(1), z.lte(60)),
});
export type ProviderQuota = z.infer<typeof providerQuota>;

/** The kinds of work at a provider that a business causes. Each kind has its own quota. */
export type QuotaWork = 'creations' | 'closings' | 'expiries' | 'requeries' | 'payer_reports';

/** A share of a quota. Its bucket is unique within the business, and its quota applies to one window. */
export interface Share {
  readonly name: 'secret' | 'public' | 'address' | 'address_at_all';
  readonly bucket: string;
  readonly quota: number;
  /** Set for a share that is counted for all businesses together. */
  readonly ofAll?: true;
}

/** Multiple of an address's quota that it has with the public keys of all businesses together. */
const BUSINESSES_OF_ADDRESS = 10;
/** Multiple of the live quota that browsers have in test mode. No provider is called, but each checkout sends webhooks to the business. */
const TIMES_IN_TEST_MODE = 5;

/**
 * Lists the shares that a piece of work is charged to, in order. Browsers do not use the servers' share, and test mode does not use live
 * mode's. A browser's address comes first: if its share is used up, the share of all browsers is not charged, so that no stranger can use that up.
 */
export const listShares = (settings: ProviderQuota, { kind, mode, addressBlock }: Requester): readonly Share[] => {
  const { creations, publicCreations, addressCreations } = settings;
  const [prefix, times] = mode === 'live' ? ['', 1] : ['test#', TIMES_IN_TEST_MODE];
  const ofAddress = { bucket: `${prefix}public#${addressBlock}`, quota: times * addressCreations };
  const shares: Record<Requester['kind'], readonly Share[]> = {
    secret: [{ name: 'secret', bucket: `${prefix}secret`, quota: creations }],
    public: [
      { name: 'address', ...ofAddress },
      { name: 'address_at_all', ...ofAddress, quota: BUSINESSES_OF_ADDRESS * ofAddress.quota, ofAll: true },
      { name: 'public', bucket: `${prefix}public`, quota: times * publicCreations },
    ],
  };
  return shares[kind].filter(({ quota }) => quota > 0);
};

/** Finds the window of a quota at a time: its number, and its end in milliseconds since the epoch. */
export const findWindow = ({ seconds }: ProviderQuota, now: Millis): { number: number; endsAt: Millis } => {
  const number = Math.floor(now / (seconds * SECOND));
  return { number, endsAt: (number + 1) * seconds * SECOND };
};
