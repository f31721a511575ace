import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { WebhookTargets } from '#shared/webhooks/domain/target.ts';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolve.ts';

/** The code of TargetNotPublic. */
export const NOT_PUBLIC = 'ERR_TARGET_NOT_PUBLIC';

/** A host has an address that webhooks must not reach. */
export class TargetNotPublic extends Error {
  override readonly name = 'TargetNotPublic';
  readonly code = NOT_PUBLIC;

  constructor() {
    super('The host leads to an address that is not public.');
  }
}

const FAMILIES: Partial<Record<string, number>> = { 4: 4, 6: 6, IPv4: 4, IPv6: 6 };

/** Addresses of each family that one connection may try. A name can have thousands, of anybody. */
const MAX_TRIED = 2;

const filterByFamily = (addresses: readonly LookupAddress[], { family }: LookupOptions): LookupAddress[] => {
  const familyNumber = FAMILIES[String(family)];
  return addresses.filter((address) => familyNumber === undefined || address.family === familyNumber);
};

const checkedAddresses = async (
  hostname: string,
  options: LookupOptions,
  targets: WebhookTargets,
  resolve: Resolve,
  ended: AbortSignal,
): Promise<[LookupAddress, ...LookupAddress[]]> => {
  const all = await resolve(hostname, ended);
  // One address that is not public is enough to refuse the name, also in a family that is not asked for.
  if (targets === 'public' && !all.every(({ address }) => isPublicAddress(address))) throw new TargetNotPublic();
  const tried = new Set(
    [4, 6].flatMap((family) => all.filter((address) => address.family === family).slice(0, MAX_TRIED)),
  );
  const [first, ...others] = filterByFamily(
    all.filter((address) => tried.has(address)),
    options,
  );
  if (!first) throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' });
  return [first, ...others];
};

/**
 * A `lookup` for connections: resolves a name once, fails with `ERR_TARGET_NOT_PUBLIC` when any of its addresses is not
 * public (under `public`), and returns the first of the addresses that it checked, so that a name which changes its answer in between (DNS
 * rebinding) gains nothing. Node does not call it for a host that is an IP address. An abort of `ended` ends the look-up.
 */
export const pinnedLookup =
  (targets: WebhookTargets, resolve: Resolve, ended: AbortSignal): LookupFunction =>
  (hostname, options, callback) => {
    checkedAddresses(hostname, options, targets, resolve, ended).then(
      // Node asks for all addresses when it may try several (`autoSelectFamily`, RFC 8305).
      (all) => (options.all ? callback(null, all) : callback(null, all[0].address, all[0].family)),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
