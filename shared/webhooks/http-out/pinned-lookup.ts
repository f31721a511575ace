import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { WebhookTargets } from '#shared/webhooks/domain/target.ts';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolve.ts';

/** The error code of `TargetNotPublic`. */
export const NOT_PUBLIC = 'ERR_TARGET_NOT_PUBLIC';

/** The error for a host with an address that webhooks must not reach. */
export class TargetNotPublic extends Error {
  override readonly name = 'TargetNotPublic';
  readonly code = NOT_PUBLIC;

  constructor() {
    super('The host leads to an address that is not public.');
  }
}

const FAMILIES: Partial<Record<string, number>> = { 4: 4, 6: 6, IPv4: 4, IPv6: 6 };

/**
 * A connection tries at most this many addresses of each family. A merchant's name can have thousands of addresses, and they may be those of
 * other people's machines.
 */
const MAX_TRIED = 2;

const filterByFamily = (addresses: readonly LookupAddress[], { family }: LookupOptions): LookupAddress[] => {
  const familyNumber = FAMILIES[String(family)];
  return addresses.filter((address) => familyNumber === undefined || address.family === familyNumber);
};

const resolveChecked = async (
  hostname: string,
  options: LookupOptions,
  targets: WebhookTargets,
  resolve: Resolve,
  ended: AbortSignal,
): Promise<[LookupAddress, ...LookupAddress[]]> => {
  const all = await resolve(hostname, ended);
  // One address that is not public is enough to reject the name, even in a family that was not requested.
  if (targets === 'public' && !all.every(({ address }) => isPublicAddress(address))) throw new TargetNotPublic();
  const triedAddresses = new Set(
    [4, 6].flatMap((family) => all.filter((address) => address.family === family).slice(0, MAX_TRIED)),
  );
  const [first, ...others] = filterByFamily(
    all.filter((address) => triedAddresses.has(address)),
    options,
  );
  if (!first) throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' });
  return [first, ...others];
};

/**
 * Returns a `lookup` for connections. It resolves a name once, checks all of its addresses, and returns the first ones. The connection uses these
 * and does not resolve the name again. So an attacker gains nothing if the name gets other addresses after the check (DNS rebinding). If `targets`
 * is `public` and any address is not public, the `lookup` fails with `ERR_TARGET_NOT_PUBLIC`. Node does not call it for a host that is an IP
 * address. An abort of `ended` ends the look-up.
 */
export const pinnedLookup =
  (targets: WebhookTargets, resolve: Resolve, ended: AbortSignal): LookupFunction =>
  (hostname, options, callback) => {
    resolveChecked(hostname, options, targets, resolve, ended).then(
      // Node asks for all addresses when it may try several (`autoSelectFamily`, RFC 8305).
      (all) => (options.all ? callback(null, all) : callback(null, all[0].address, all[0].family)),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
