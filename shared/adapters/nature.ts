import { randomBytes, randomInt } from 'node:crypto';
import { ulid } from 'ulid';
import type { Nature } from '#shared/ports.ts';

const DRAWS = 2 ** 32;

/** The real clock and cryptographic randomness. */
export const nature: Nature = {
  now: Date.now,
  newId: (prefix) => `${prefix}_${ulid()}`,
  randomBytes,
  draw: () => randomInt(DRAWS) / DRAWS,
};
