import { decodeTime } from 'ulid';
import * as z from 'zod/mini';
import { text } from './schemas.ts';
import type { Millis } from './time.ts';

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const REFERENCE_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const REFERENCE_LENGTH = 20;

export type IdPrefix = 'biz' | 'key' | 'va' | 'pay' | 'evt' | 'dlv' | 'whe' | 'log' | 'lease' | 'ses' | 'pky' | 'ntc';

const schemas = new Map<IdPrefix, typeof text>();
/** Returns the schema of an id with this prefix: `<prefix>_` and a ULID. It is made once for each prefix. */
export const idSchema = (prefix: IdPrefix): typeof text => {
  const schema = schemas.get(prefix) ?? text.check(z.regex(new RegExp(`^${prefix}_${ULID}$`)));
  schemas.set(prefix, schema);
  return schema;
};

/** Returns the time at which an id was made: a ULID begins with it. */
export const timeOfId = (id: string): Millis => decodeTime(id.slice(id.indexOf('_') + 1));

const ULID_TIME = 10;
/**
 * Makes an id from the time of an `earlier` id and the rest of a `fresh` id. It is for an object that replaces another one: lists sort by
 * the time in the id, so the new object gets the place of the old one.
 */
export const copyIdTime = (earlier: string, fresh: string): string => {
  const time = fresh.indexOf('_') + 1;
  return earlier.slice(0, time + ULID_TIME) + fresh.slice(time + ULID_TIME);
};

/** `PAY-` and 20 upper-case alphanumerics: about 103 bits, so it cannot be guessed. */
export const checkoutReference = text.check(z.regex(/^PAY-[0-9A-Z]{20}$/));

/** Returns bytes from a cryptographic source. */
export type RandomBytes = (length: number) => Uint8Array;

/** Makes a string of `length` characters, each drawn evenly from `alphabet` (at most 256 characters). */
export const randomString = (alphabet: string, length: number, random: RandomBytes): string => {
  // A byte at or above the largest multiple of the alphabet's length is not used: it would favour the alphabet's first characters.
  const usableBytes = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < usableBytes) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
};

/** Makes a new checkout reference from random bytes. */
export const newCheckoutReference = (random: RandomBytes): string =>
  `PAY-${randomString(REFERENCE_ALPHABET, REFERENCE_LENGTH, random)}`;
