import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { crc32 } from '#shared/platform/kernel/crc32.ts';
import { idSchema, type RandomBytes, randomString } from '#shared/platform/kernel/ids.ts';
import { type KeyKind, keyKind } from '#shared/platform/kernel/key-kind.ts';
import { type Mode, mode } from '#shared/platform/kernel/mode.ts';
import { boolean, millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { type BusinessProfile, businessName } from './profile.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KIND_LENGTH = 'sk_'.length;
const SHAPE = /^(sk|pk)_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** The most characters of a key's name. */
export const LONGEST_KEY_NAME = 60;

/** An API key as stored: its hash, prefix and last digits, never the key itself. */
export const apiKey = z.object({
  id: idSchema('key'),
  hash: text.check(z.length(64)),
  businessId: idSchema('biz'),
  /** Whether the business is suspended. Copied onto every key, so that authentication takes one read. */
  businessSuspended: boolean,
  /** Copied from the profile of the business, so that starting a checkout need not read the business. */
  businessDisplayName: businessName,
  /** Whether checkouts of the business may go to another provider than the stage's default. Copied for the same reason. */
  businessIsRouted: boolean,
  mode,
  kind: keyKind,
  prefix: text,
  last4: text.check(z.length(4)),
  /** The name that the business gave the key; absent if it gave none. */
  name: z.optional(text),
  ipWhitelist: z.array(text),
  createdAt: millis,
  /** A member's address, or `operations`. */
  createdBy: text,
  revokedAt: millisOrNull,
  /** When a rolled key's grace ends. */
  expiresAt: millisOrNull,
  /** The key that replaced this key; absent if this key was not rolled. */
  replacedBy: z.optional(idSchema('key')),
});
export type ApiKey = z.infer<typeof apiKey>;

const computeChecksum = (text: string): string => {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
};

/** Returns the prefix of a kind and mode, such as `sk_test_`. */
export const keyPrefix = (kind: KeyKind, keyMode: Mode): string => `${kind === 'secret' ? 'sk' : 'pk'}_${keyMode}_`;

/** Makes a new key: prefix, 32 random base62 characters and the checksum of both. */
export const newApiKey = (kind: KeyKind, keyMode: Mode, random: RandomBytes): string => {
  const body = keyPrefix(kind, keyMode) + randomString(BASE62, RANDOM_LENGTH, random);
  return body + computeChecksum(body);
};

/** Checks whether a string has the form and checksum of our keys. This needs no look-up, so a mistyped key costs nothing. */
export const isWellFormedKey = (key: string): boolean => {
  if (!SHAPE.test(key)) return false;
  const keyChecksum = Buffer.from(key.slice(-CHECKSUM_LENGTH));
  return timingSafeEqual(keyChecksum, Buffer.from(computeChecksum(key.slice(0, -CHECKSUM_LENGTH))));
};

/** Returns the kind and mode that a well-formed key names. */
export const parseKeyType = (key: string): { kind: KeyKind; mode: Mode } => ({
  kind: key.startsWith('sk_') ? 'secret' : 'public',
  mode: key.slice(KIND_LENGTH).startsWith('live_') ? 'live' : 'test',
});

/** Computes the hash under which a key is stored: SHA-256 in hex. A key has 190 random bits, so it needs no slow hash. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Quotes the name of a key for a sentence. Curly quotation marks in the name become straight. So the name cannot close its own quotation and add
 * words to the sentence.
 */
export const quotedName = (name: string): string => `“${name.replaceAll(/[“”]/g, '"')}”`;

/** Describes a key by its name, and the first and last characters of its text. It never contains the key itself. */
export const describeKey = ({ mode: keyMode, kind, name, prefix, last4 }: ApiKey): string =>
  `the ${keyMode} ${kind} key ${name === undefined ? '' : `${quotedName(name)} `}${prefix}…${last4}`;

/** Checks whether a key has ended for good: it is revoked, or past its grace. */
export const hasEnded = (key: ApiKey, now: number): boolean =>
  key.revokedAt !== null || (key.expiresAt !== null && now >= key.expiresAt);

/** Checks whether a key is accepted now: it has not ended, and its business is not suspended. */
export const isUsable = (key: ApiKey, now: number): boolean => !hasEnded(key, now) && !key.businessSuspended;

/** The part of a business's profile that is copied onto each key, and the hashes of the keys that need a new copy. */
export interface ProfileOnKeys extends Pick<BusinessProfile, 'displayName' | 'isRouted'> {
  readonly hashes: readonly string[];
}

/** Finds the keys that do not have the present profile of their business yet. */
export const profileOnKeys = (
  keys: readonly ApiKey[],
  { displayName, isRouted }: Pick<BusinessProfile, 'displayName' | 'isRouted'>,
): ProfileOnKeys => ({
  displayName,
  isRouted,
  hashes: keys
    .filter((key) => key.businessDisplayName !== displayName || key.businessIsRouted !== isRouted)
    .map(({ hash }) => hash),
});
