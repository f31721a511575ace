import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ulid } from 'ulid';
import type { Nature } from '#shared/ports.ts';

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;
const DRAWS = 2 ** 32;

/** The real clock and cryptographic randomness. */
export const nature: Nature = {
  now: Date.now,
  newId: (prefix) => `${prefix}_${ulid()}`,
  randomBytes,
  draw: () => randomInt(DRAWS) / DRAWS,
  wait: (milliseconds) => wait(milliseconds, undefined, { ref: false }),
  pause: (attempt) => wait(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)),
};
