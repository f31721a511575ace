import { randomBytes, randomFillSync, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ulid } from 'ulid';
import type { Runtime } from './ports.ts';

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;
const DRAWS = 2 ** 32;

const pool = Buffer.alloc(1_024);
let usedBytes = pool.length;
/**
 * Draws a fraction in steps of 1/256. It draws 1,024 random bytes at a time, because a call for each letter would cost more than the rest of
 * an id.
 */
const drawByte = (): number => {
  if (usedBytes === pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  return pool.readUInt8(usedBytes++) / 256;
};

/** The real clock and cryptographic randomness. */
export const runtime: Runtime = {
  now: Date.now,
  newId: (prefix) => `${prefix}_${ulid(Date.now(), drawByte)}`,
  randomBytes,
  draw: () => randomInt(DRAWS) / DRAWS,
  wait: (milliseconds) => wait(milliseconds, undefined, { ref: false }),
  pause: (attempt) => wait(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)),
};
