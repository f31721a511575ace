import { GREETING, type PageMessage } from '#shared/pages/widget/messages.ts';
import type { OpenPage } from './open-page.ts';
import { isAllowed } from './origins.ts';

/* Connects this page in a merchant's frame with the widget in the parent window. */

/** Sends a message to the parent window if the widget has handed over a port. */
export const postToParent = ({ port }: OpenPage, message: PageMessage): void => port?.postMessage(message);

/** Tells the parent window the state of the checkout. */
export const postState = (page: OpenPage, type: 'loaded' | 'status'): void => {
  const { reference, state } = page;
  const { status, version } = state.checkout;
  postToParent(page, { type, reference, status, version });
};

/** Accepts the widget's port. It must come from the parent window, from an origin that the page may talk to. */
export const connectToParent = (page: OpenPage): void => {
  addEventListener('message', ({ source, origin, data, ports }) => {
    const [port] = ports;
    if (!page.isEmbedded || source !== parent || data !== GREETING || !port) return;
    if (!isAllowed(page.data.origins ?? '', origin)) return;
    page.port = port;
    postState(page, 'loaded');
    const postHeight = (): void =>
      postToParent(page, { type: 'resize', height: document.documentElement.offsetHeight });
    new ResizeObserver(postHeight).observe(document.body);
  });
  addEventListener('keydown', ({ key }) => {
    if (page.isEmbedded && key === 'Escape') postToParent(page, { type: 'escape' });
  });
};
