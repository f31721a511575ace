import { postState } from './bridge.ts';
import { drawCountdown } from './countdown.ts';
import { leaveSoon, REDIRECT_SECONDS } from './leaving.ts';
import { announce, type OpenPage } from './open-page.ts';
import { type Answer, takeAnswer } from './state.ts';

/** Selects the parts of new content that a screen reader announces: the heading, what happened, and what to do. */
const ANNOUNCED_PARTS = 'h1, .notice h2, .looking, .slow, .earlier, p.other';
const ACCOUNT_NUMBER = '#v-number';

const readAccountNumber = ({ main }: OpenPage): string | undefined =>
  main.querySelector(ACCOUNT_NUMBER)?.textContent ?? undefined;

/** Writes the announcement of new content. Account numbers are split: a screen reader would read ten digits as one large number. */
const writeAnnouncement = ({ main }: OpenPage, isOtherAccount = false): string =>
  [...main.querySelectorAll(isOtherAccount ? `${ANNOUNCED_PARTS}, ${ACCOUNT_NUMBER}` : ANNOUNCED_PARTS)]
    .map(({ textContent }) => textContent?.replace(/\.$/, ''))
    .join('. ')
    .replaceAll(/\b(\d{3})(\d{3})(\d{4})\b/g, '$1 $2 $3');

const findControls = ({ main }: OpenPage): HTMLElement[] => [
  ...main.querySelectorAll<HTMLElement>('a, button, summary'),
];
const nameControl = ({ dataset, textContent }: HTMLElement): string | null => dataset.of ?? textContent;

const readHeading = ({ main }: OpenPage): string | null | undefined => main.querySelector('h1')?.textContent;

/**
 * Replaces the content. If the heading or the account changed, the focus moves to the heading. Otherwise it stays on the control that had it, or
 * moves to the heading if that control is gone.
 */
const replaceContent = (page: OpenPage, html: string): void => {
  const { main, htmlPolicy } = page;
  // A button that waits for its answer is disabled and has lost the focus, so the pressed button counts as focused.
  const focused = findControls(page).find((control) => control === document.activeElement) ?? page.pressed;
  const accountNumber = readAccountNumber(page);
  const oldHeading = readHeading(page);
  main.innerHTML = htmlPolicy ? htmlPolicy.createHTML(html) : html;
  const heading = main.querySelector('h1') as HTMLElement;
  const newNumber = readAccountNumber(page);
  const isOtherAccount = newNumber !== undefined && accountNumber !== undefined && newNumber !== accountNumber;
  announce(page, writeAnnouncement(page, isOtherAccount));
  if (readHeading(page) !== oldHeading || isOtherAccount) heading.focus({ preventScroll: false });
  else if (focused) {
    const same = findControls(page).find((control) => nameControl(control) === nameControl(focused));
    if (same) same.focus();
    else heading.focus({ preventScroll: true });
  }
};

/** Shows the server's answer. The content is replaced only if it has changed, so that focus, selection and opened parts stay. */
export const showAnswer = (page: OpenPage, answer: Answer, etag: string): void => {
  const before = page.state;
  page.state = takeAnswer(before, answer, etag, performance.now());
  const { checkout } = page.state;
  if (checkout === before.checkout) return;
  const isReplaced = checkout.content !== before.checkout.content;
  if (isReplaced) replaceContent(page, answer.html);
  document.title = answer.title;
  drawCountdown(page);
  if (!isReplaced) return;
  postState(page, 'status');
  leaveSoon(page);
  if (page.leaving)
    announce(page, `${writeAnnouncement(page)}. You will be taken back in ${REDIRECT_SECONDS} seconds.`);
};
