import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { count, millis, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { isToken } from './token.ts';

/** The lifetime of a code. */
export const CODE_LIFETIME: Millis = 10 * MINUTE;
export const MAX_TRIES = 5;
const DIGITS = 8;

/** The most codes for one e-mail address, and for one block of addresses, in a window. Many people may share a block. */
export const CODE_LIMITS = {
  address: [
    { window: 15 * MINUTE, most: 3, text: 'Three codes were requested for this e-mail address in 15 minutes' },
    { window: DAY, most: 10, text: 'Ten codes were requested for this e-mail address today' },
  ],
  source: [{ window: 15 * MINUTE, most: 60, text: 'Too many codes were requested from your network' }],
} as const;
/** The most codes for an address in ten minutes, which two windows may share. Each works, although another was requested later. */
const MAX_WAITING = 2 * CODE_LIMITS.address[0].most;

/** A sign-in that waits for its code. It belongs to the browser that has its token. A browser may have several. */
export const signIn = z.object({
  tokenHash: text,
  userId,
  tries: count,
  expiresAt: millis,
});
export type SignIn = z.infer<typeof signIn>;

/**
 * Computes the code of a sign-in from the hash of the browser's token and a key of the stage for codes alone. So a code is stored nowhere,
 * and works in that browser alone.
 */
export const computeCode = (key: string, hashOfToken: string): string => {
  const digest = createHmac('sha256', key).update(`sign-in\n${hashOfToken}`).digest();
  // 48 bits: the remainder favours no code by more than one in 10^6.
  return String(digest.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** Checks whether a code may still complete a sign-in. Its `tries` include this one. */
export const isOpen = ({ tries, expiresAt }: SignIn, now: Millis): boolean => tries <= MAX_TRIES && now < expiresAt;

/** Checks whether this is the code of a sign-in under one of the keys. */
export const matchesCode = (keys: readonly string[], code: string, { tokenHash }: SignIn): boolean =>
  keys.some((key) => {
    const [typed, expected] = [Buffer.from(code), Buffer.from(computeCode(key, tokenHash))];
    return typed.length === expected.length && timingSafeEqual(typed, expected);
  });

const SEPARATOR = '.';

/** Reads the tokens of the sign-ins that a browser waits for, newest first. Anybody may write that text, so parts that are no tokens are left out. */
export const tokensIn = (waiting: string | undefined): string[] =>
  [...new Set((waiting ?? '').split(SEPARATOR).filter(isToken))].slice(0, MAX_WAITING);

/** Adds a token to that text. */
export const withToken = (waiting: string | undefined, token: string): string =>
  [token, ...tokensIn(waiting)].slice(0, MAX_WAITING).join(SEPARATOR);
