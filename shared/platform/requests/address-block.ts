import { isIP } from 'node:net';

/** The hexadecimal groups in the first 64 bits of an IPv6 address. */
const GROUPS = 4;

const splitGroups = (text: string): string[] => (text === '' ? [] : text.split(':'));

/**
 * Returns the block of addresses that one subscriber has: an IPv4 address alone, or the /64 of an IPv6 address, because a host chooses the
 * other half freely (RFC 4291 section 2.5.1). An IPv4-mapped address becomes its IPv4 address.
 */
export const addressBlock = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const full = new URL(`http://[${address.replace(/%.*/, '')}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(full);
  if (mapped) {
    const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const [before = '', after] = full.split('::');
  const [head, tail] = [splitGroups(before), splitGroups(after ?? '')];
  const zeros = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, GROUPS).join(':')}::/64`;
};
