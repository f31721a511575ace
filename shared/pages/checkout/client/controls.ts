import { postToParent } from './bridge.ts';
import { copyValue, shareDetails } from './copy.ts';
import { keepSentAt } from './kept.ts';
import { stay } from './leaving.ts';
import { noteOffline } from './offline.ts';
import { announce, type OpenPage, serverNow, updateState } from './open-page.ts';
import { askForAnother, lookAgain, report, simulate } from './poll.ts';
import { writeAddress } from './request.ts';

/* Buttons and forms of the page, for the payer. */

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

/** Remembers when the money was sent, or that it was not: in the page's address and in the browser. */
const rememberSent = (page: OpenPage, sentAt: number | undefined): void => {
  updateState(page, { sentAt });
  keepSentAt(page.reference, sentAt);
  history.replaceState(null, '', writeAddress(page, ''));
};

/** Asks what a form is for. Younger browsers say which button it was; all of them say that it was clicked. */
const askFor = (page: OpenPage, form: HTMLFormElement): Promise<void> => {
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

/** Says under a form that its question changed nothing, or reached nobody, where the form has a sentence for that. */
const showNothingNew = (page: OpenPage, form: HTMLFormElement): void => {
  const sentence = form.querySelector<HTMLElement>('[hidden]');
  if (!sentence) return;
  sentence.hidden = false;
  announce(page, sentence.textContent ?? '');
};

/** A button that takes long has other words while it waits. */
const swapWords = (button: HTMLButtonElement): void => {
  const { busy } = button.dataset;
  if (busy === undefined) return;
  button.dataset.busy = button.textContent ?? '';
  button.textContent = busy;
};

const submit = (page: OpenPage, form: HTMLFormElement): void => {
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) {
    button.disabled = true;
    swapWords(button);
    if (button.dataset.busy) announce(page, button.textContent ?? '');
  }
  const { failures } = page.state;
  void askFor(page, form).then(() => {
    const hasFailed = page.state.failures > failures;
    // A payer who pressed a button waits for an answer.
    if (hasFailed) noteOffline(page, true);
    if (form.isConnected && hasFailed === form.matches('.sent')) showNothingNew(page, form);
    page.pressed = undefined;
    for (const button of buttons) {
      button.disabled = false;
      swapWords(button);
    }
  });
};

/** Does what the payer's clicks and forms ask for. */
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
