import { createHmac } from 'node:crypto';
import { comparableAddress } from '#shared/platform/kernel/email-address.ts';

/** Computes a keyed hash of an address, so that addresses in the table cannot be found by guessing. `secret` is the stage's hash key. */
export const emailHash = (secret: string, email: string): string =>
  createHmac('sha256', secret)
    .update(`email\n${comparableAddress(email)}`)
    .digest('hex');
