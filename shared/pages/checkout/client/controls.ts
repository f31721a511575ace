import { postToParent } from './bridge.ts';
import { copyValue, shareDetails } from './copy.ts';
import { stay } from './leaving.ts';
import { noteOffline } from './offline.ts';
import { announce, type OpenPage, serverNow, updateState } from './open-page.ts';
import { askForAnother, lookAgain, report, simulate } from './poll.ts';
import { writePageUrl } from './request.ts';
import { storeSentAt } from './sent-at.ts';

/* Handles the payer's clicks and forms. */

const press = (page: OpenPage, button: HTMLButtonElement): void => {
  if (button.type === 'submit') page.pressed = button;
  if (button.dataset.copy) void copyValue(page, button);
  if (button.matches('[data-stay]')) {
    stay(page);
    page.main.querySelector('h1')?.focus();
  }
  if (button.matches('[data-print]')) print();
  if (button.matches('[data-share]')) shareDetails(button);
  if (button.matches('[data-close]')) postToParent(page, { type: 'close' });
};

/** Remembers in the page's URL and in the browser when the money was sent. `undefined` forgets it. */
const rememberSent = (page: OpenPage, sentAt: number | undefined): void => {
  updateState(page, { sentAt });
  storeSentAt(page.reference, sentAt);
  history.replaceState(null, '', writePageUrl(page, ''));
};

/**
 * Sends the question of a submitted form. The click handler stored the pressed button in `page.pressed`, because older browsers do not know
 * `submitter`.
 */
const askForForm = (page: OpenPage, form: HTMLFormElement): Promise<void> => {
  const outcome = page.pressed?.form === form ? page.pressed.getAttribute('value') : null;
  if (outcome !== null) {
    const version = form.querySelector('input')?.value ?? '';
    return simulate(page, new URLSearchParams({ version, outcome }));
  }
  if (form.matches('.other')) return askForAnother(page);
  rememberSent(page, Math.round(serverNow(page)));
  postToParent(page, { type: 'transfer_reported' });
  return report(page);
};

/**
 * Shows the hidden sentence of a form, if it has one. In `.other` it says that no other account can be opened now; in `.sent` that we look for the
 * transfer as soon as the page is online again.
 */
const showNothingNew = (page: OpenPage, form: HTMLFormElement): void => {
  const sentence = form.querySelector<HTMLElement>('[hidden]');
  if (!sentence) return;
  sentence.hidden = false;
  announce(page, sentence.textContent ?? '');
};

/** Swaps a button's label with its label for the time of waiting (`data-busy`), if it has one. */
const swapLabel = (button: HTMLButtonElement): void => {
  const { busy } = button.dataset;
  if (busy === undefined) return;
  button.dataset.busy = button.textContent ?? '';
  button.textContent = busy;
};

const submit = (page: OpenPage, form: HTMLFormElement): void => {
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) {
    button.disabled = true;
    swapLabel(button);
    if (button.dataset.busy) announce(page, button.textContent ?? '');
  }
  const { failures } = page.state;
  void askForForm(page, form).then(() => {
    const hasFailed = page.state.failures > failures;
    // The payer waits for an answer to the press, so a single failure is shown.
    if (hasFailed) noteOffline(page, true);
    // If the answer brought a new view, the form is gone. Otherwise `.sent` shows its sentence after a failure, and `.other` after an answer that
    // opened no other account.
    if (form.isConnected && hasFailed === form.matches('.sent')) showNothingNew(page, form);
    page.pressed = undefined;
    for (const button of buttons) {
      button.disabled = false;
      swapLabel(button);
    }
  });
};

/** Listens to clicks and forms. */
export const followControls = (page: OpenPage): void => {
  page.main.addEventListener('click', (event) => {
    const target = event.target as Element;
    const button = target.closest('button');
    if (button) press(page, button);
    if (!target.closest('[data-unsent]')) return;
    event.preventDefault();
    rememberSent(page, undefined);
    lookAgain(page);
  });
  page.main.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(page, event.target as HTMLFormElement);
  });
};
