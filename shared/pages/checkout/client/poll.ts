import { askInTurn, dropCall } from './ask.ts';
import { noteOffline } from './offline.ts';
import { type OpenPage, serverNow, updateState } from './open-page.ts';
import type { Question } from './request.ts';
import { isReportDue, nextPoll } from './schedule.ts';

/* Decides when the page asks the server, and what. The times are in schedule.ts. */

/** Plans the next poll, unless the page is hidden. */
export const planPoll = (page: OpenPage): void => {
  clearTimeout(page.timer);
  if (document.hidden) return;
  const { checkout, shownAt, sentAt, failures } = page.state;
  const now = serverNow(page);
  const sinceSent = sentAt === undefined ? undefined : now - sentAt;
  const delay = nextPoll({ view: checkout.view, sinceShown: now - shownAt, sinceSent, failures }, Math.random());
  if (delay !== undefined) page.timer = setTimeout(() => poll(page), delay);
};

const askThenPlan = (page: OpenPage, question: Question): Promise<void> => {
  const turn = askInTurn(page, question);
  void turn.then(() => planPoll(page));
  return turn;
};

/** Reports that the payer has sent the money. The server then asks the provider, within limits of its own. */
export const report = (page: OpenPage): Promise<void> =>
  askThenPlan(page, { path: '/sent', body: new URLSearchParams() });

/** Asks for another account, because the payer's bank cannot find the present one. */
export const askForAnother = (page: OpenPage): Promise<void> =>
  askThenPlan(page, { path: '/another-account', body: new URLSearchParams() });

/** Causes an outcome in test mode. */
export const simulate = (page: OpenPage, body: URLSearchParams): Promise<void> =>
  askThenPlan(page, { path: '/simulate', body });

/**
 * Asks for news, unless a question is under way. While the page says that it looks for a transfer, some polls report again that the money was
 * sent, so that the server asks the provider again.
 */
export const poll = (page: OpenPage): void => {
  if (page.call) return;
  const now = serverNow(page);
  const { reportedAt, sentAt = now } = page.state;
  const isLooking = page.main.querySelector('.looking') !== null;
  if (isLooking && isReportDue(now - reportedAt, now - sentAt)) void report(page);
  else void askThenPlan(page, { path: '/status', onlyIfChanged: true });
};

/** Asks for the whole state at once, because the page's clock stops while a phone sleeps. */
export const lookAgain = (page: OpenPage): void => {
  updateState(page, { etag: '', failures: 0 });
  // A question that began before the phone slept may never be answered.
  dropCall(page);
  void askThenPlan(page, { path: '/status' });
};

/** Updates the page at once when the payer comes back to it, such as from the bank's app. */
export const followPayer = (page: OpenPage): void => {
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(page.timer) : lookAgain(page)));
  addEventListener('online', () => lookAgain(page));
  addEventListener('offline', () => noteOffline(page));
  addEventListener('pageshow', ({ persisted }) => persisted && lookAgain(page));
};
