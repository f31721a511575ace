import { type OpenPage, updateState } from './open-page.ts';

/** How long the payer may read before the page leads back. */
export const REDIRECT_SECONDS = 8;

/** Stops the count to leading back. */
const stop = (page: OpenPage): void => {
  clearInterval(page.leaving);
  page.leaving = undefined;
  for (const element of page.main.querySelectorAll<HTMLElement>('.leaving, [data-stay]')) element.hidden = true;
};

/** Keeps the payer on this page: it leads nowhere by itself any more. */
export const stay = (page: OpenPage): void => {
  updateState(page, { leadsBack: false });
  stop(page);
};

/** Leads back to the merchant after some seconds, which the payer may stop: once, and only somebody who has seen the page become paid. */
export const leaveSoon = (page: OpenPage): void => {
  const { main, state, isEmbedded } = page;
  stop(page);
  if (state.checkout.view !== 'paid' || isEmbedded || !state.leadsBack) return;
  const link = main.querySelector<HTMLAnchorElement>('[data-return]');
  const words = main.querySelector<HTMLElement>('.leaving');
  const button = main.querySelector<HTMLElement>('[data-stay]');
  if (!link || !words || !button) return;
  let left = REDIRECT_SECONDS;
  const show = (): void => {
    words.textContent = `You will be taken back in ${left} s.`;
  };
  words.hidden = button.hidden = false;
  show();
  page.leaving = setInterval(() => {
    // A payer who has not seen the page is not led away from it.
    if (document.hidden) return;
    left -= 1;
    show();
    if (left > 0) return;
    stay(page);
    location.assign(link.href);
  }, 1_000);
};

/** Keeps the page for whoever prints it, and for whoever left it by another way and comes back. */
export const followStay = (page: OpenPage): void => {
  for (const event of ['beforeprint', 'pagehide']) addEventListener(event, () => stay(page));
};
