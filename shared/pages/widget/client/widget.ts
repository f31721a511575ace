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
/** 128 random bits. `crypto.randomUUID` is younger than many phones, and absent on http. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const start = starter(api, newKey);

interface Handle {
  close(): void;
}

/** An element with styles that the merchant's policy cannot refuse, since no attribute and no sheet holds them. */
const element = <K extends keyof HTMLElementTagNameMap>(name: K, style: Partial<CSSStyleDeclaration>) => {
  const node = document.createElement(name);
  Object.assign(node.style, style);
  return node;
};

/** The dialog around a frame, or the element that the merchant gave. */
const surround = (container: Options['container'], leave: () => void) => {
  const host = typeof container === 'string' ? document.querySelector(container) : container;
  if (container !== undefined && !host) throw new WidgetError('no_container', 'The container was not found.');
  if (host) return { into: host, remove: (frame: Element) => frame.remove() };
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

/** Calls the merchant's own code, whose errors must not keep the widget from closing. They are reported as any of that page. */
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
      call(() => options.onClose?.(state));
    },
  };
  current = handle;

  const fail = (error: unknown): void => {
    if (!isOpen) return;
    const { code = 'widget_error', message = '' } = error as { code?: string; message?: string };
    call(() => options.onError?.({ code, message }));
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
    const { type, ...now } = message;
    state = { reference: now.reference, status: now.status };
    if (type === 'loaded' && !isLoaded) {
      isLoaded = true;
      clearTimeout(timer);
      call(() => options.onLoad?.(state));
    }
    if (type === 'status') call(() => options.onStatus?.(now));
    if (now.status === 'paid' && !isPaid) {
      isPaid = true;
      call(() => options.onPaid?.({ reference: now.reference }));
    }
  };

  const show = (url: string): void => {
    const page = new URL(url, api);
    // Whoever can write an element into the merchant's page must not choose what this dialog shows.
    if (page.origin !== api || !page.pathname.startsWith('/pay/')) {
      throw new WidgetError('invalid_checkout_url', `checkoutUrl must be a checkout_url of ${api}.`);
    }
    if (options.container === undefined && !hasDialogs) {
      location.assign(page.href);
      return;
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
      remove = () => {
        link.remove();
        around.remove(frame);
      };
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

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest?.<HTMLElement>('[data-pay-checkout]');
  if (!button?.dataset.payCheckout) return;
  // It may be a link.
  event.preventDefault();
  open({ checkoutUrl: button.dataset.payCheckout });
});
