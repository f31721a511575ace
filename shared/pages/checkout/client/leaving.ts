import { type OpenPage, updateState } from './open-page.ts';

/** Seconds until the page of a paid checkout takes the payer back to the merchant. */
export const REDIRECT_SECONDS = 8;

/** Stops the countdown after which the page takes the payer back to the merchant, and hides it. */
const stopCountdown = (page: OpenPage): void => {
  clearInterval(page.leaving);
  page.leaving = undefined;
  for (const element of page.main.querySelectorAll<HTMLElement>('.leaving, [data-stay]')) element.hidden = true;
};

/** Keeps the payer on this page: from now on it does not lead back by itself. */
export const stay = (page: OpenPage): void => {
  updateState(page, { returnsToShop: false });
  stopCountdown(page);
};

/**
 * Leads back to the merchant after some seconds, unless the payer stops it. It happens once, and only if the checkout became paid while the page
 * was open.
 */
export const leaveSoon = (page: OpenPage): void => {
  const { main, state, isEmbedded } = page;
  stopCountdown(page);
  if (state.checkout.view !== 'paid' || isEmbedded || !state.returnsToShop) return;
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
    // The countdown waits while the payer does not see the page.
    if (document.hidden) return;
    left -= 1;
    show();
    if (left > 0) return;
    stay(page);
    location.assign(link.href);
  }, 1_000);
};

/** Keeps the payer on the page if the payer prints it, or leaves it and comes back. */
export const stopRedirectOnPrintOrLeave = (page: OpenPage): void => {
  for (const event of ['beforeprint', 'pagehide']) addEventListener(event, () => stay(page));
};
