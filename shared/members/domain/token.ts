import { createHash } from 'node:crypto';
import type { RandomBytes } from '#shared/platform/kernel/ids.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** A secret that a browser keeps: 256 random bits. */
export const newToken = (random: RandomBytes): string => Buffer.from(random(TOKEN_BYTES)).toString('base64url');

/** Whether a text is a token that we could have made. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** What is stored of a token: with so many random bits it needs no slow hash. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');
