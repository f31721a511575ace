import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only block from which IANA assigns global unicast addresses of IPv6. It excludes the IPv4-compatible `::a.b.c.d`. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Unicast ranges that are not the public Internet and that ipaddr.js does not know. */
const NOT_PUBLIC = [
  // The platform service of Azure's virtual machines (learn.microsoft.com, "What is IP address 168.63.129.16?").
  ipaddr.IPv4.parseCIDR('168.63.129.16/32'),
  // The former 6bone, handed back to IANA (RFC 3701 section 2).
  ipaddr.IPv6.parseCIDR('3ffe::/16'),
] as const;

const isPublicIpv4 = (address: ipaddr.IPv4): boolean => address.range() === 'unicast' && !address.match(NOT_PUBLIC[0]);

const isPublicIpv6 = (address: ipaddr.IPv6): boolean =>
  address.match(GLOBAL_UNICAST) && address.range() === 'unicast' && !address.match(NOT_PUBLIC[1]);

/**
 * Whether an address belongs to the public Internet: it is global unicast and in no block of the IANA special-purpose address registries
 * (RFC 6890), as ipaddr.js classifies them. IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4, Teredo) is never public, because a public
 * host can be reached directly. An address with a zone, a short form such as `127.1`, or any other text is not public either.
 */
export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  if (version === 4) return isPublicIpv4(ipaddr.IPv4.parse(address));
  return version === 6 && !address.includes('%') && isPublicIpv6(ipaddr.IPv6.parse(address));
};
