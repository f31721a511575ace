import { postState } from './bridge.ts';
import { drawCountdown } from './countdown.ts';
import { leaveSoon, REDIRECT_SECONDS } from './leaving.ts';
import { announce, type OpenPage } from './open-page.ts';
import { type Answer, takeAnswer } from './state.ts';

/** Selects what a screen reader says of a new content: its heading, what happened, and what to do. */
const ANNOUNCED_PARTS = 'h1, .notice h2, .looking, .slow, .earlier, p.other';
const ACCOUNT_NUMBER = '#v-number';

const readAccountNumber = ({ main }: OpenPage): string | undefined =>
  main.querySelector(ACCOUNT_NUMBER)?.textContent ?? undefined;

/** Reads what a screen reader says of a new content. Ten digits in a row would be one large number. */
const readAloud = ({ main }: OpenPage, isOtherAccount = false): string =>
  [...main.querySelectorAll(isOtherAccount ? `${ANNOUNCED_PARTS}, ${ACCOUNT_NUMBER}` : ANNOUNCED_PARTS)]
    .map(({ textContent }) => textContent?.replace(/\.$/, ''))
    .join('. ')
    .replaceAll(/\b(\d{3})(\d{3})(\d{4})\b/g, '$1 $2 $3');

const findControls = ({ main }: OpenPage): HTMLElement[] => [
  ...main.querySelectorAll<HTMLElement>('a, button, summary'),
];
const nameControl = ({ dataset, textContent }: HTMLElement): string | null => dataset.of ?? textContent;

const readHeading = ({ main }: OpenPage): string | null | undefined => main.querySelector('h1')?.textContent;

/** Replaces the content. The focus goes to a heading that is new, or of another account, and otherwise stays where it was. */
const replaceContent = (page: OpenPage, html: string): void => {
  const { main, trusted } = page;
  // A button that waits for its answer is disabled, and has lost the focus.
  const focused = findControls(page).find((control) => control === document.activeElement) ?? page.pressed;
  const accountNumber = readAccountNumber(page);
  const words = readHeading(page);
  main.innerHTML = trusted ? trusted.createHTML(html) : html;
  const heading = main.querySelector('h1') as HTMLElement;
  const newNumber = readAccountNumber(page);
  const isOtherAccount = newNumber !== undefined && accountNumber !== undefined && newNumber !== accountNumber;
  announce(page, readAloud(page, isOtherAccount));
  if (readHeading(page) !== words || isOtherAccount) heading.focus({ preventScroll: false });
  else if (focused) {
    const same = findControls(page).find((control) => nameControl(control) === nameControl(focused));
    if (same) same.focus();
    else heading.focus({ preventScroll: true });
  }
};

/** Shows what the server answered. What somebody has focused, selected or opened stays as it is while nothing changes. */
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
  if (page.leaving) announce(page, `${readAloud(page)}. You will be taken back in ${REDIRECT_SECONDS} seconds.`);
};
