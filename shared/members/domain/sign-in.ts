import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { count, millis, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { isToken } from './token.ts';

/** The lifetime of a sign-in code. Milliseconds. */
export const CODE_LIFETIME: Millis = 10 * MINUTE;
export const MAX_TRIES = 5;
const DIGITS = 8;

/**
 * The most codes for one e-mail address (`address`), and for one block of IP addresses (`source`), in a window in milliseconds. Many people may
 * share a block.
 */
export const CODE_LIMITS = {
  address: [
    { window: 15 * MINUTE, most: 3, text: 'Three codes were requested for this e-mail address in 15 minutes' },
    { window: DAY, most: 10, text: 'Ten codes were requested for this e-mail address today' },
  ],
  source: [{ window: 15 * MINUTE, most: 60, text: 'Too many codes were requested from your network' }],
} as const;
/**
 * The most sign-ins that a browser may wait for. A window allows three codes for an address, and the ten minutes of a code may touch two windows. A
 * newer code does not end an older one, so six codes may work at once.
 */
const MAX_WAITING = 2 * CODE_LIMITS.address[0].most;

/** A sign-in that waits for its code. It belongs to the browser that has its token. A browser may wait for several sign-ins. */
export const signIn = z.object({
  tokenHash: text,
  userId,
  tries: count,
  expiresAt: millis,
});
export type SignIn = z.infer<typeof signIn>;

/**
 * Computes the code of a sign-in from the hash of the browser's token and a key that the stage uses only for codes. So a code is stored nowhere,
 * and works only in that browser.
 */
export const computeCode = (key: string, hashOfToken: string): string => {
  const digest = createHmac('sha256', key).update(`sign-in\n${hashOfToken}`).digest();
  // 48 bits: the remainder favours no code by more than one in 10^6.
  return String(digest.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** Checks whether a code may still complete a sign-in. `tries` includes the present try. */
export const isOpen = ({ tries, expiresAt }: SignIn, now: Millis): boolean => tries <= MAX_TRIES && now < expiresAt;

/** Checks whether `code` is the code of a sign-in under one of the keys. */
export const matchesCode = (keys: readonly string[], code: string, { tokenHash }: SignIn): boolean =>
  keys.some((key) => {
    const [typed, expected] = [Buffer.from(code), Buffer.from(computeCode(key, tokenHash))];
    return typed.length === expected.length && timingSafeEqual(typed, expected);
  });

const SEPARATOR = '.';

/**
 * Reads the list of tokens that the browser keeps for its sign-ins, newest first. Anybody can write such a list, so parts that are no tokens
 * are left out.
 */
export const tokensIn = (list: string | undefined): string[] =>
  [...new Set((list ?? '').split(SEPARATOR).filter(isToken))].slice(0, MAX_WAITING);

/** Adds a token to the browser's list, as the newest. */
export const withToken = (list: string | undefined, token: string): string =>
  [token, ...tokensIn(list)].slice(0, MAX_WAITING).join(SEPARATOR);
