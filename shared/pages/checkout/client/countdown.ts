import { announce, type OpenPage, serverNow, updateState } from './open-page.ts';
import { countdown, describeTimeLeft, isSoon, isTooLate } from './schedule.ts';

/** Draws the time that is left, and says it at some minutes. Answers whether it has just run out. */
export const drawCountdown = (page: OpenPage): boolean => {
  const { drawnLeft: before, checkout } = page.state;
  const left = checkout.expires - serverNow(page);
  const places = page.main.querySelectorAll('.left');
  for (const place of places) {
    place.textContent = countdown(left);
    place.setAttribute('role', 'timer');
    place.parentElement?.classList.toggle('soon', isSoon(left));
    place.parentElement?.classList.toggle('too-late', isTooLate(left));
  }
  const words = places.length > 0 && describeTimeLeft(before, left);
  if (words) announce(page, words);
  updateState(page, { drawnLeft: left });
  return before > 0 && left <= 0;
};
