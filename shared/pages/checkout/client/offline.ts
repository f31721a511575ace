import { type OpenPage, say } from './open-page.ts';

/** Notes above the content that the page is offline, or takes the note away. */
export const noteOffline = (page: OpenPage, isOffline: boolean): void => {
  const shown = document.querySelector('.offline');
  if (!isOffline) shown?.remove();
  if (!isOffline || shown) return;
  const note = document.createElement('p');
  note.className = 'offline';
  note.textContent = 'You seem to be offline. This page goes on when you are back.';
  page.main.before(note);
  say(page, note.textContent);
};
