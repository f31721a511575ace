import { GREETING, type PageMessage } from '#shared/pages/widget/messages.ts';
import type { Options, State } from './options.ts';
import { createStarter, WidgetError } from './starter.ts';

/* Shows the payment page on a merchant's page: in a dialog, or in an element. It moves no money. */

/** Milliseconds in which the payment page must load. */
const LOAD_TIMEOUT = 10_000;
/** The least height of the frame, in CSS pixels. */
const LEAST_HEIGHT = 320;

const { currentScript } = document;
const api = new URL((currentScript as HTMLScriptElement | null)?.src ?? location.href).origin;
/** Makes an idempotency key of 128 random bits. `crypto.randomUUID` is missing in older browsers and on http. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const start = createStarter(api, newKey);

interface Handle {
  close(): void;
}

/** Creates a styled element. It sets style properties, because the merchant's content security policy can forbid style attributes and sheets. */
const createElement = <K extends keyof HTMLElementTagNameMap>(name: K, style: Partial<CSSStyleDeclaration>) => {
  const node = document.createElement(name);
  Object.assign(node.style, style);
  return node;
};

/** Opens the dialog for the frame, or finds the merchant's element. @throws WidgetError if there is no such element. */
const openSurroundings = (container: Options['container'], leave: () => void) => {
  const host = typeof container === 'string' ? document.querySelector(container) : container;
  if (container !== undefined && !host)
    throw new WidgetError('no_container', 'The page has no element for `container`.');
  if (host) return { parent: host, remove: (frame: Element) => frame.remove() };
  const dialog = createElement('dialog', {
    padding: '0',
    border: '0',
    borderRadius: '12px',
    width: 'min(30rem, 100vw)',
    maxWidth: '100vw',
    maxHeight: '100dvh',
    background: 'transparent',
  });
  dialog.setAttribute('aria-label', 'Pay by transfer');
  const close = createElement('button', {
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
    parent: dialog,
    remove: () => {
      // Closing gives the focus back to the element that had it before.
      dialog.close();
      dialog.remove();
    },
  };
};

/** Calls the merchant's callback. Its errors must not keep the widget from closing, so they are thrown later, as uncaught errors of the merchant's page. */
const call = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
};

/** Whether this browser has dialogs; Safari has had them since 2022. */
const hasDialogs = typeof HTMLDialogElement === 'function' && 'showModal' in HTMLDialogElement.prototype;

let openHandle: Handle | undefined;

/** Opens a checkout, and closes the checkout that was open before. */
const open = (options: Options): Handle => {
  openHandle?.close();
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
      if (openHandle === handle) openHandle = undefined;
      remove();
      call(() => options.onClose?.(state));
    },
  };
  openHandle = handle;

  /** Calls a callback unless the widget has closed: `onClose` comes last, even if the merchant closes the widget within another callback. */
  const callBack = (callback: () => void): void => {
    if (isOpen) call(callback);
  };

  const fail = (error: unknown): void => {
    const { code = 'widget_error', message = '' } = error as { code?: string; message?: string };
    callBack(() => options.onError?.({ code, message }));
  };

  const listen = (frame: HTMLIFrameElement, { data: message }: { data: PageMessage }): void => {
    if (!isOpen) return;
    if (message.type === 'close' || (message.type === 'escape' && options.container === undefined)) {
      handle.close();
      return;
    }
    if (message.type === 'escape') return;
    if (message.type === 'resize') {
      frame.style.height = `${Math.max(LEAST_HEIGHT, message.height)}px`;
      return;
    }
    if (message.type === 'transfer_reported') return;
    const { type, ...checkout } = message;
    state = { reference: checkout.reference, status: checkout.status };
    if (type === 'loaded' && !isLoaded) {
      isLoaded = true;
      clearTimeout(timer);
      callBack(() => options.onLoad?.(state));
    }
    if (type === 'status') callBack(() => options.onStatus?.(checkout));
    if (checkout.status === 'paid' && !isPaid) {
      isPaid = true;
      callBack(() => options.onPaid?.({ reference: checkout.reference }));
    }
  };

  const show = (url: string): void => {
    const page = new URL(url, api);
    // A stranger may be able to write an element into the merchant's page, but must not choose what this dialog shows.
    if (page.origin !== api || !page.pathname.startsWith('/pay/')) {
      throw new WidgetError('invalid_checkout_url', `checkoutUrl must be a checkout_url of ${api}.`);
    }
    if (options.container === undefined && !hasDialogs) {
      location.assign(page.href);
      return;
    }
    const surroundings = openSurroundings(options.container, handle.close);
    const frame = createElement('iframe', {
      display: 'block',
      width: '100%',
      height: '640px',
      maxHeight: options.container === undefined ? '100dvh' : 'none',
      border: '0',
      background: '#fff',
    });
    frame.title = 'Pay by transfer';
    frame.allow = 'clipboard-write';
    remove = () => surroundings.remove(frame);
    frame.onload = () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event) => listen(frame, event);
      frame.contentWindow?.postMessage(GREETING, page.origin, [port2]);
    };
    const frameUrl = new URL(page);
    frameUrl.searchParams.set('embed', '1');
    frame.src = frameUrl.href;
    surroundings.parent.prepend(frame);
    timer = setTimeout(() => {
      const link = createElement('a', { display: 'block', padding: '1rem', background: '#fff' });
      link.href = page.href;
      link.target = '_blank';
      link.rel = 'noopener';
      link.textContent = 'Open the payment page';
      surroundings.parent.prepend(link);
      remove = () => {
        link.remove();
        surroundings.remove(frame);
      };
      fail(new WidgetError('load_timeout', 'The payment page did not load. Open it with the link that is shown.'));
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

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest?.<HTMLElement>('[data-pay-checkout]');
  if (!button?.dataset.payCheckout) return;
  // The element may be a link, which must not be followed.
  event.preventDefault();
  open({ checkoutUrl: button.dataset.payCheckout });
});
