import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** Milliseconds by which the clocks of Lagos are ahead of UTC. */
const AHEAD_OF_UTC_MS = 3_600_000;
/** Milliseconds that a test of today's figures may take. */
const ROOM_MS = 60_000;

/** Waits, if the day in Lagos ends within a minute, until the next day has begun. So "today" is one day for the whole test. */
export const waitForRoomInDay = async (): Promise<void> => {
  const left = DAY_MS - ((Date.now() + AHEAD_OF_UTC_MS) % DAY_MS);
  if (left < ROOM_MS) await sleep(left + 1_000);
};
