import { connectToParent } from './bridge.ts';
import { followControls } from './controls.ts';
import { drawCountdown } from './countdown.ts';
import { readSentAt } from './kept.ts';
import { followStay } from './leaving.ts';
import { dropBrokenLogo } from './logo.ts';
import { noteOffline } from './offline.ts';
import { type OpenPage, openPage, updateState } from './open-page.ts';
import { followPayer, lookAgain, planPoll, poll } from './poll.ts';

/*
 * Keeps the page fresh while somebody looks at it. It knows no texts and decides nothing: the server renders every view, and the page
 * works without this. poll.ts asks the server, render.ts shows the answer, bridge.ts tells the parent window, countdown.ts draws the time
 * that is left. All of them work on one value, an OpenPage.
 */

/** A page that says why there is no checkout. What may pass is tried again. */
const RELOAD_AFTER = 15_000;

const begin = (page: OpenPage): void => {
  const { data, reference } = page;
  if (reference === undefined) {
    if (data.retry !== undefined) setTimeout(() => location.reload(), RELOAD_AFTER);
    return;
  }
  followControls(page);
  followPayer(page);
  followStay(page);
  document.documentElement.classList.add('js');
  // In a frame nothing may be shared.
  if ('share' in navigator && !page.isEmbedded) document.documentElement.classList.add('sharing');
  noteOffline(page);
  const tick = (): void => {
    // The time is up: the server says what that means.
    if (drawCountdown(page)) poll(page);
  };
  tick();
  setInterval(tick, 1_000);
  const { sentAt, checkout } = page.state;
  if (sentAt === undefined && checkout.view !== 'paid') updateState(page, { sentAt: readSentAt(reference) });
  // The link says nothing of it, but this browser does.
  if (page.state.sentAt !== undefined && data.sent === undefined) lookAgain(page);
  else planPoll(page);
};

dropBrokenLogo();
const page = openPage();
connectToParent(page);
begin(page);
