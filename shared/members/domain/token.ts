import { createHash } from 'node:crypto';
import type { RandomBytes } from '#shared/platform/kernel/ids.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Makes a secret that a browser keeps: 256 random bits. */
export const newToken = (random: RandomBytes): string => Buffer.from(random(TOKEN_BYTES)).toString('base64url');

/** Checks whether a text has the form of our tokens. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** Computes the stored hash of a token. A token has so many random bits that it needs no slow hash. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');
