import { setTimeout as sleep } from 'node:timers/promises';
import { endOfLagosDay, lagosDate } from '#shared/platform/kernel/lagos-day.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';

/** Milliseconds that a test of today's figures may take. */
const ROOM_MS = MINUTE;

/** Waits, if the day in Lagos ends within a minute, until the next day has begun. So "today" is one day for the whole test. */
export const waitForRoomInDay = async (): Promise<void> => {
  const now = Date.now();
  const left = endOfLagosDay(lagosDate(now)) - now;
  if (left < ROOM_MS) await sleep(left + SECOND);
};
