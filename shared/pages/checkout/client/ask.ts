import { noteOffline } from './offline.ts';
import { type OpenPage, serverNow, updateState } from './open-page.ts';
import { showAnswer } from './render.ts';
import { type Question, send } from './request.ts';
import { countFailure } from './state.ts';

/** Milliseconds after which a question is aborted. */
const TIMEOUT = 10_000;
/** The same for opening another account. This takes longer, because several providers may be asked one after the other. */
const ACCOUNT_TIMEOUT = 30_000;

const ask = async (page: OpenPage, question: Question): Promise<void> => {
  // The browsers of many phones do not know AbortSignal.timeout.
  const controller = new AbortController();
  const { path } = question;
  const timeout = setTimeout(() => controller.abort(), path === '/another-account' ? ACCOUNT_TIMEOUT : TIMEOUT);
  const call = { controller, mayDrop: path === '/status' || path === '/sent', isDropped: false };
  page.call = call;
  if (path === '/sent') updateState(page, { reportedAt: serverNow(page) });
  try {
    const response = await send(page, question, controller.signal);
    updateState(page, { unreached: 0 });
    if (response.status !== 304) {
      if (!response.ok) throw new Error(String(response.status));
      showAnswer(page, await response.json(), response.headers.get('etag') ?? '');
    }
    updateState(page, { failures: 0 });
  } catch {
    if (!call.isDropped) page.state = countFailure(page.state);
  }
  clearTimeout(timeout);
  page.call = undefined;
  noteOffline(page);
};

/** Asks the server and shows the answer. Questions wait for each other, so that an older answer never replaces a newer one. */
export const askInTurn = (page: OpenPage, question: Question): Promise<void> => {
  page.turn = page.turn.then(() => ask(page, question));
  return page.turn;
};

/** Aborts the call that is under way, unless it opens another account or simulates an outcome. */
export const dropCall = ({ call }: OpenPage): void => {
  if (!call?.mayDrop) return;
  call.isDropped = true;
  call.controller.abort();
};
