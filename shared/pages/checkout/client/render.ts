import { tellState } from './bridge.ts';
import { drawCountdown } from './countdown.ts';
import { leaveSoon, REDIRECT_SECONDS, stay } from './leaving.ts';
import { type OpenPage, say } from './open-page.ts';
import { type Answer, takeAnswer } from './state.ts';

/** Reads what a screen reader says of a new content: its heading, what was sent back, and whether the transfer is looked for. */
const readAloud = ({ main }: OpenPage): string =>
  [...main.querySelectorAll('h1, .notice h2, .looking, .earlier')].map(({ textContent }) => textContent).join('. ');

const findControls = ({ main }: OpenPage): HTMLElement[] => [
  ...main.querySelectorAll<HTMLElement>('a, button, summary'),
];
const nameControl = ({ dataset, textContent }: HTMLElement): string | null => dataset.of ?? textContent;

/** Replaces the content. The focus goes to the heading of another view, and otherwise stays where it was. */
const replaceContent = (page: OpenPage, html: string, isOtherView: boolean): void => {
  const { main, trusted } = page;
  const focused = findControls(page).find((control) => control === document.activeElement);
  stay(page);
  main.innerHTML = trusted ? trusted.createHTML(html) : html;
  const heading = main.querySelector('h1') as HTMLElement;
  say(page, readAloud(page));
  if (isOtherView) heading.focus({ preventScroll: false });
  else if (focused)
    findControls(page)
      .find((control) => nameControl(control) === nameControl(focused))
      ?.focus();
};

/** Shows what the server answered. What somebody has focused, selected or opened stays as it is while nothing changes. */
export const showAnswer = (page: OpenPage, answer: Answer, etag: string): void => {
  const before = page.state;
  page.state = takeAnswer(before, answer, etag, performance.now());
  const { checkout, content } = page.state;
  if (checkout === before.checkout) return;
  const isOtherView = checkout.view !== before.checkout.view;
  const isReplaced = isOtherView || content !== before.content;
  if (isReplaced) replaceContent(page, answer.html, isOtherView);
  drawCountdown(page);
  if (!isReplaced) return;
  tellState(page, 'status');
  leaveSoon(page);
  if (page.leaving) say(page, `${readAloud(page)}. You will be taken back in ${REDIRECT_SECONDS} seconds.`);
};
