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
   * Accounts that a business's servers open: virtual accounts and accounts of live checkouts together. The same number limits closings, expiries
   * by hand and requeries, each separately.
   */
  creations: count,
  /**
   * Accounts that all browsers with the public key of a business open, for live checkouts. Not part of `creations`. The same number, counted
   * separately, limits the look-ups that payers cause by "I've sent the money".
   */
  publicCreations: count,
  /** Accounts that the browsers of one address block open. A part of `publicCreations`. */
  addressCreations: count,
  /** The length of a window, in seconds. */
  seconds: z.int().check(z.gte(1), z.lte(60)),
});
export type ProviderQuota = z.infer<typeof providerQuota>;

/** The kinds of work at a provider that a business causes. Each kind has its own quota. */
export type QuotaWork = 'creations' | 'closings' | 'expiries' | 'requeries' | 'payer_reports';

/**
 * A part of a quota that is counted by itself, for example that of a business's servers, or of one address block. `bucket` names its counter within
 * the business. `quota` is the most that may be used in one window.
 */
export interface Share {
  readonly name: 'secret' | 'public' | 'address' | 'address_at_all';
  readonly bucket: string;
  readonly quota: number;
  /** Set if the share is counted for all businesses together. */
  readonly isShared?: true;
}

/** The browsers of one address block may open `addressCreations` accounts at one business, and this many times that number at all businesses together. */
const TIMES_AT_ALL_BUSINESSES = 10;
/** In test mode browsers have this many times the live quota. No provider is called there, but each checkout sends webhooks to the business. */
const TIMES_IN_TEST_MODE = 5;

/**
 * Lists the shares that a piece of work is charged to, in order. Servers and browsers have separate shares, and so have the two modes. A
 * browser's address is charged first: if its share is used up, the share of all browsers is not charged. So one stranger cannot use up the share
 * of all browsers.
 */
export const listShares = (settings: ProviderQuota, { kind, mode, addressBlock }: Requester): readonly Share[] => {
  const { creations, publicCreations, addressCreations } = settings;
  const [prefix, times] = mode === 'live' ? ['', 1] : ['test#', TIMES_IN_TEST_MODE];
  const ofAddress = { bucket: `${prefix}public#${addressBlock}`, quota: times * addressCreations };
  const shares: Record<Requester['kind'], readonly Share[]> = {
    secret: [{ name: 'secret', bucket: `${prefix}secret`, quota: creations }],
    public: [
      { name: 'address', ...ofAddress },
      { name: 'address_at_all', ...ofAddress, quota: TIMES_AT_ALL_BUSINESSES * ofAddress.quota, isShared: true },
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
