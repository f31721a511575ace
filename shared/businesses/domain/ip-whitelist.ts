import { BlockList, isIP } from 'node:net';

interface Range {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const MAPPED_BITS = 96;

const canonicalize = (address: string): string => new URL(`http://[${address}]/`).hostname.slice(1, -1);

/** Turns an IPv4-mapped IPv6 address, in any spelling, into its IPv4 address. */
const unmapAddress = (address: string): { address: string; isMapped: boolean } => {
  if (isIP(address) !== 6 || address.includes('%')) return { address, isMapped: false };
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonicalize(address));
  const dotted = MAPPED.exec(address)?.[1];
  if (dotted) return { address: dotted, isMapped: true };
  if (!hex) return { address, isMapped: false };
  const bits = (Number.parseInt(hex[1] ?? '0', 16) << 16) | Number.parseInt(hex[2] ?? '0', 16);
  const bytes = [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255];
  return { address: bytes.join('.'), isMapped: true };
};

const parseRange = (entry: string): Range | undefined => {
  const [rawAddress = '', rawPrefix, ...rest] = entry.split('/');
  if (rest.length > 0 || rawAddress.includes('%') || isIP(rawAddress) === 0) return undefined;
  if (rawPrefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(rawPrefix)) return undefined;
  const { address, isMapped } = unmapAddress(rawAddress);
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const bits = family === 'ipv4' ? 32 : 128;
  const prefixLength = rawPrefix === undefined ? bits : Number(rawPrefix) - (isMapped ? MAPPED_BITS : 0);
  return prefixLength < 0 || prefixLength > bits ? undefined : { address, prefix: prefixLength, family };
};

/** Normalises an address as a whitelist does: an IPv4-mapped IPv6 address becomes the IPv4 address. */
export const normalizeIp = (address: string): string => unmapAddress(address).address;

/** Checks whether a text is a valid entry of a whitelist: an address or CIDR range, IPv4 or IPv6. */
export const isWhitelistEntry = (entry: string): boolean => parseRange(entry) !== undefined;

/** Checks whether an address may use a key with this whitelist. An empty list allows any address; an unreadable address is refused. */
export const isWhitelisted = (whitelist: readonly string[], sourceIp: string): boolean => {
  if (whitelist.length === 0) return true;
  if (isIP(sourceIp) === 0) return false;
  const { address } = unmapAddress(sourceIp);
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  for (const range of whitelist.map(parseRange)) {
    // Node treats an IPv4 address as its mapped IPv6 form, so `::/64` would admit every IPv4 address.
    if (range?.family === family) list.addSubnet(range.address, range.prefix, range.family);
  }
  return list.check(address, family);
};
