import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { userId } from '#shared/domain/businesses/member.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { count, millis, text } from '#shared/domain/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/domain/kernel/time.ts';

/** How long a code works. */
export const CODE_LIFETIME: Millis = 10 * MINUTE;
export const MAX_TRIES = 5;
const DIGITS = 6;

/** Codes that are mailed to one address in a window, and asked for from one block of addresses; many people may share a block. */
export const CODE_LIMITS = {
  address: [
    { window: 15 * MINUTE, most: 3 },
    { window: DAY, most: 10 },
  ],
  source: [{ window: 15 * MINUTE, most: 60 }],
} as const;

/** A sign-in that waits for its code: in one browser, whose cookie has the token. */
export const signIn = z.object({
  tokenHash: text,
  userId,
  tries: count,
  expiresAt: millis,
});
export type SignIn = z.infer<typeof signIn>;

/**
 * The code of a sign-in. It is made of the hash of the browser's token and the stage's secret, so it is stored nowhere and works in
 * that browser alone.
 */
export const codeOf = (hashKey: string, hashOfToken: string): string => {
  const digest = createHmac('sha256', hashKey).update(`sign-in\n${hashOfToken}`).digest();
  // 48 bits: the remainder favours no code by more than one in 10^8.
  return String(digest.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** @throws the refusals code_expired and wrong_code. `tries` of the sign-in include this one. */
export const ensureCode = (hashKey: string, given: string, waiting: SignIn | undefined, now: Millis): void => {
  if (!waiting || waiting.tries > MAX_TRIES || now >= waiting.expiresAt) throw new Refusal('code_expired');
  const [code, wanted] = [Buffer.from(given), Buffer.from(codeOf(hashKey, waiting.tokenHash))];
  if (code.length !== wanted.length || !timingSafeEqual(code, wanted)) throw new Refusal('wrong_code');
};
