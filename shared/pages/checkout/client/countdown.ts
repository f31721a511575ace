import { announce, type OpenPage, serverNow, updateState } from './open-page.ts';
import { describeTimeLeft, formatTimeLeft, isSoon, isTooLate } from './schedule.ts';

/** Draws the remaining time, and announces it when few minutes are left (schedule.ts). Returns whether the time has just run out. */
export const drawCountdown = (page: OpenPage): boolean => {
  const { drawnTimeLeft: before, checkout } = page.state;
  const left = checkout.expires - serverNow(page);
  const places = page.main.querySelectorAll('.left');
  for (const place of places) {
    place.textContent = formatTimeLeft(left);
    place.setAttribute('role', 'timer');
    place.parentElement?.classList.toggle('soon', isSoon(left));
    place.parentElement?.classList.toggle('too-late', isTooLate(left));
  }
  const words = places.length > 0 && describeTimeLeft(before, left);
  if (words) announce(page, words);
  updateState(page, { drawnTimeLeft: left });
  return before > 0 && left <= 0;
};
