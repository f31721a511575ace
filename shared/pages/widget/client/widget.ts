import { GREETING, type PageMessage } from '#shared/pages/widget/messages.ts';
import type { Options, State } from './options.ts';
import { starter, WidgetError } from './starter.ts';

/*
 * Shows a payment page in a merchant's own: in a dialog, or in an element. It has no texts but those of its frame, and moves no money.
 */

const LOAD_TIMEOUT = 10_000;
const LEAST_HEIGHT = 320;

const { currentScript } = document;
const api = new URL((currentScript as HTMLScriptElement | null)?.src ?? location.href).origin;
const start = starter(api, () => crypto.randomUUID());

interface Handle {
  close(): void;
}

/** An element with styles that the merchant's policy cannot refuse, since no attribute and no sheet holds them. */
const element = <K extends keyof HTMLElementTagNameMap>(name: K, style: Partial<CSSStyleDeclaration>) => {
  const made = document.createElement(name);
  Object.assign(made.style, style);
  return made;
};

/** The dialog around a frame, or the element that the merchant gave. */
const surround = (container: Options['container'], leave: () => void) => {
  const given = typeof container === 'string' ? document.querySelector(container) : container;
  if (container !== undefined && !given) throw new WidgetError('no_container', 'The container was not found.');
  if (given) return { into: given, remove: (frame: Element) => frame.remove() };
  const dialog = element('dialog', {
    padding: '0',
    border: '0',
    borderRadius: '12px',
    width: 'min(30rem, 100vw)',
    maxWidth: '100vw',
    maxHeight: '100dvh',
    background: 'transparent',
  });
  dialog.setAttribute('aria-label', 'Pay by transfer');
  const close = element('button', {
    position: 'absolute',
    top: '4px',
    right: '4px',
    width: '44px',
    height: '44px',
    border: '2px solid #6b7a73',
    borderRadius: '22px',
    background: '#fff',
    color: '#16211d',
    font: '700 20px/1 system-ui, sans-serif',
    cursor: 'pointer',
  });
  close.type = 'button';
  close.textContent = '✕';
  close.setAttribute('aria-label', 'Close');
  close.onclick = leave;
  dialog.oncancel = (event) => {
    event.preventDefault();
    leave();
  };
  document.body.append(dialog);
  dialog.append(close);
  dialog.showModal();
  return {
    into: dialog,
    remove: () => {
      // Closing it gives the focus back to whoever opened it.
      dialog.close();
      dialog.remove();
    },
  };
};

let current: Handle | undefined;

/** Opens a checkout. One is open at a time. */
const open = (options: Options): Handle => {
  current?.close();
  let state: State = { reference: null, status: null };
  let isOpen = true;
  let isPaid = false;
  let isLoaded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let remove = (): void => {};

  const handle: Handle = {
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(timer);
      if (current === handle) current = undefined;
      remove();
      options.onClose?.(state);
    },
  };
  current = handle;

  const fail = (error: unknown): void => {
    if (!isOpen) return;
    const { code = 'widget_error', message = '' } = error as { code?: string; message?: string };
    options.onError?.({ code, message });
  };

  const listen = (frame: HTMLIFrameElement, { data: message }: { data: PageMessage }): void => {
    if (!isOpen) return;
    if (message.type === 'close') {
      handle.close();
      return;
    }
    if (message.type === 'resize') {
      frame.style.height = `${Math.max(LEAST_HEIGHT, message.height)}px`;
      return;
    }
    if (message.type === 'transfer_reported') return;
    const { type, ...now } = message;
    state = { reference: now.reference, status: now.status };
    if (type === 'loaded' && !isLoaded) {
      isLoaded = true;
      clearTimeout(timer);
      options.onLoad?.(state);
    }
    if (type === 'status') options.onStatus?.(now);
    if (now.status === 'paid' && !isPaid) {
      isPaid = true;
      options.onPaid?.({ reference: now.reference });
    }
  };

  const show = (url: string): void => {
    const page = new URL(url, api);
    // Whoever can write an element into the merchant's page must not choose what this dialog shows.
    if (page.origin !== api || !page.pathname.startsWith('/pay/')) {
      throw new WidgetError('invalid_checkout_url', `checkoutUrl must be a checkout_url of ${api}.`);
    }
    const around = surround(options.container, handle.close);
    const frame = element('iframe', {
      display: 'block',
      width: '100%',
      height: '640px',
      maxHeight: options.container === undefined ? '100dvh' : 'none',
      border: '0',
      background: '#fff',
    });
    frame.title = 'Pay by transfer';
    frame.allow = 'clipboard-write';
    remove = () => around.remove(frame);
    frame.onload = () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event) => listen(frame, event);
      frame.contentWindow?.postMessage(GREETING, page.origin, [port2]);
    };
    const framed = new URL(page);
    framed.searchParams.set('embed', '1');
    frame.src = framed.href;
    around.into.prepend(frame);
    timer = setTimeout(() => {
      const link = element('a', { display: 'block', padding: '1rem', background: '#fff' });
      link.href = page.href;
      link.target = '_blank';
      link.rel = 'noopener';
      link.textContent = 'Open the payment page';
      around.into.prepend(link);
      fail(new WidgetError('load_timeout', 'The payment page did not load. Open it by the link.'));
    }, LOAD_TIMEOUT);
  };

  const begin = async (): Promise<void> => {
    try {
      const url = options.checkoutUrl ?? (await start(options, Date.now()));
      if (isOpen) show(url);
    } catch (error) {
      fail(error);
      handle.close();
    }
  };
  void begin();
  return handle;
};

Object.assign(window, { PayByTransfer: { open } });

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest?.<HTMLElement>('[data-pay-checkout]');
  if (button?.dataset.payCheckout) open({ checkoutUrl: button.dataset.payCheckout });
});
