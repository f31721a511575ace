import { announce, type OpenPage } from './open-page.ts';

/** Questions in a row that reach nobody before the payer is told: browsers that have a network think that they are online. */
const OFFLINE_AFTER = 2;

/** Notes above the content that nobody is reached, or takes the note away. A receipt needs nobody. */
export const noteOffline = (page: OpenPage, isUnreached = page.state.unreached >= OFFLINE_AFTER): void => {
  const existing = document.querySelector('.offline');
  const isOnline = navigator.onLine;
  if (page.state.checkout.view === 'paid' || (isOnline && !isUnreached)) {
    existing?.remove();
    return;
  }
  const note = existing ?? document.createElement('p');
  const [nobody, back] = isOnline ? ['We can’t be reached right now', 'we are'] : ['You are offline', 'you are'];
  const words = `${nobody}. Your transfer is not affected: this page goes on when ${back} back.`;
  if (note.textContent === words) return;
  note.className = 'offline';
  note.textContent = words;
  page.main.before(note);
  announce(page, words);
};
