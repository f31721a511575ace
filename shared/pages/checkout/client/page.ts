import { connectToParent } from './bridge.ts';
import { followControls } from './controls.ts';
import { drawCountdown } from './countdown.ts';
import { stopRedirectOnPrintOrLeave } from './leaving.ts';
import { dropBrokenLogo } from './logo.ts';
import { noteOffline } from './offline.ts';
import { type OpenPage, openPage, updateState } from './open-page.ts';
import { followPayer, lookAgain, planPoll, poll } from './poll.ts';
import { readSentAt } from './sent-at.ts';

/*
 * Updates the page while it is visible. The server renders every view and decides everything; the page works without this script. poll.ts asks
 * the server, render.ts shows the answer, bridge.ts informs the parent window, and countdown.ts draws the remaining time. All work on one OpenPage.
 */

/** Milliseconds after which a page with a temporary problem loads again. */
const RELOAD_AFTER = 15_000;

const begin = (page: OpenPage): void => {
  const { data, reference } = page;
  if (reference === undefined) {
    if (data.retry !== undefined) setTimeout(() => location.reload(), RELOAD_AFTER);
    return;
  }
  followControls(page);
  followPayer(page);
  stopRedirectOnPrintOrLeave(page);
  document.documentElement.classList.add('js');
  // A frame has no permission to share.
  if ('share' in navigator && !page.isEmbedded) document.documentElement.classList.add('sharing');
  noteOffline(page);
  const tick = (): void => {
    // The time is up: the server knows the new state.
    if (drawCountdown(page)) poll(page);
  };
  tick();
  setInterval(tick, 1_000);
  const { sentAt, checkout } = page.state;
  if (sentAt === undefined && checkout.view !== 'paid') updateState(page, { sentAt: readSentAt(reference) });
  // This browser stored that the money was sent, but the URL does not say so: the view is out of date.
  if (page.state.sentAt !== undefined && data.sent === undefined) lookAgain(page);
  else planPoll(page);
};

dropBrokenLogo();
const page = openPage();
connectToParent(page);
begin(page);
