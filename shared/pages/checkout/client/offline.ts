import { announce, type OpenPage } from './open-page.ts';

/**
 * Number of requests in a row that did not reach us, after which the payer is told. `navigator.onLine` is not enough: it is true on a
 * network without internet.
 */
const OFFLINE_AFTER = 2;

/** Shows or removes the note that the page does not reach us. A receipt needs no note. */
export const noteOffline = (page: OpenPage, isUnreached = page.state.unreached >= OFFLINE_AFTER): void => {
  const existing = document.querySelector('.offline');
  const isOnline = navigator.onLine;
  if (page.state.checkout.view === 'paid' || (isOnline && !isUnreached)) {
    existing?.remove();
    return;
  }
  const note = existing ?? document.createElement('p');
  const words = isOnline
    ? 'This page can’t reach us right now. Your transfer is not affected. The page tries again and continues when it can reach us.'
    : 'You are offline. Your transfer is not affected. This page continues when you are online again.';
  if (note.textContent === words) return;
  note.className = 'offline';
  note.textContent = words;
  page.main.before(note);
  announce(page, words);
};
