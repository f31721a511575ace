import { createHmac } from 'node:crypto';
import { comparableAddress } from '#shared/platform/kernel/email-address.ts';

/** A keyed hash, so that e-mail addresses cannot be found in the table by guessing. `secret` is the stage's hash key. */
export const emailHash = (secret: string, email: string): string =>
  createHmac('sha256', secret)
    .update(`email\n${comparableAddress(email)}`)
    .digest('hex');
