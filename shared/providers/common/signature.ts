import { createHmac, timingSafeEqual } from 'node:crypto';

/** The secrets that a provider may sign with: two during a rotation. */
export type SigningSecrets = readonly string[];

const HEX = /^[0-9a-f]+$/i;

/** Whether `hex` is the HMAC of the bytes under one of the secrets. The comparison takes constant time and ignores letter case. */
export const isSigned = (
  algorithm: 'sha256' | 'sha512',
  hex: string | undefined,
  bytes: Uint8Array,
  secrets: SigningSecrets,
): boolean => {
  if (hex === undefined || !HEX.test(hex)) return false;
  const signature = Buffer.from(hex, 'hex');
  // Every secret is tried, so that the time does not reveal which one matched.
  return secrets
    .map((secret) => createHmac(algorithm, secret).update(bytes).digest())
    .map((expected) => expected.length === signature.length && timingSafeEqual(expected, signature))
    .includes(true);
};
