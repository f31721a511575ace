import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { count, millis, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { isToken } from './token.ts';

/** How long a code works. */
export const CODE_LIFETIME: Millis = 10 * MINUTE;
export const MAX_TRIES = 5;
const DIGITS = 8;

/** Codes that are asked for with one address in a window, and from one block of addresses; many people may share a block. */
export const CODE_LIMITS = {
  address: [
    { window: 15 * MINUTE, most: 3, text: 'Three codes were asked for with this address in a quarter of an hour' },
    { window: DAY, most: 10, text: 'Ten codes were asked for with this address today' },
  ],
  source: [{ window: 15 * MINUTE, most: 60, text: 'Many codes were asked for from your network' }],
} as const;
/** As many as an address is mailed in ten minutes, which two windows may share: each works although another was asked for. */
const MOST_WAITING = 2 * CODE_LIMITS.address[0].most;

/** A sign-in that waits for its code: in one browser, which has the token, beside those that it asked for before. */
export const signIn = z.object({
  tokenHash: text,
  userId,
  tries: count,
  expiresAt: millis,
});
export type SignIn = z.infer<typeof signIn>;

/**
 * The code of a sign-in. It is made of the hash of the browser's token and a key of the stage for codes alone, so it is stored nowhere and
 * works in that browser alone.
 */
export const computeCode = (key: string, hashOfToken: string): string => {
  const digest = createHmac('sha256', key).update(`sign-in\n${hashOfToken}`).digest();
  // 48 bits: the remainder favours no code by more than one in 10^6.
  return String(digest.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** Whether a sign-in may still end with a code. Its `tries` include this one. */
export const isOpen = ({ tries, expiresAt }: SignIn, now: Millis): boolean => tries <= MAX_TRIES && now < expiresAt;

/** Whether this is the code of a sign-in under one of the keys. */
export const matchesCode = (keys: readonly string[], code: string, { tokenHash }: SignIn): boolean =>
  keys.some((key) => {
    const [typed, expected] = [Buffer.from(code), Buffer.from(computeCode(key, tokenHash))];
    return typed.length === expected.length && timingSafeEqual(typed, expected);
  });

const BETWEEN = '.';

/** The tokens of the sign-ins that a browser waits for, the newest first. Anybody may write that text: a part that is no token is left out. */
export const tokensIn = (waiting: string | undefined): string[] =>
  [...new Set((waiting ?? '').split(BETWEEN).filter(isToken))].slice(0, MOST_WAITING);

/** The same text with one more sign-in. */
export const withToken = (waiting: string | undefined, token: string): string =>
  [token, ...tokensIn(waiting)].slice(0, MOST_WAITING).join(BETWEEN);
