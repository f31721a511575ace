import { readState, type State, timeAt } from './state.ts';

/**
 * The policy that turns a text into trusted HTML. Browsers with trusted types accept no HTML without it. render.ts uses it for HTML from our
 * server.
 */
interface HtmlPolicy {
  createHTML(text: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy;
}

/** A call to the server that is under way. */
interface Call {
  readonly controller: AbortController;
  /** Whether a newer call may abort this call. It may not if this call opens another account or simulates an outcome. */
  readonly mayDrop: boolean;
  isDropped: boolean;
}

/** The open page: its elements, its state, and its running call and timers. */
export interface OpenPage {
  readonly main: HTMLElement;
  /** The live region that screen readers read aloud. */
  readonly speech: HTMLElement;
  /** The attributes that the server wrote into the page. */
  readonly data: Readonly<Record<string, string | undefined>>;
  readonly reference: string;
  readonly isEmbedded: boolean;
  readonly htmlPolicy: HtmlPolicy | undefined;
  state: State;
  call?: Call | undefined;
  /** Resolves when every question so far is answered. */
  turn: Promise<void>;
  /** Timer of the next poll. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** Timer of the countdown at the end of which the page leads the payer back to the merchant. */
  leaving?: ReturnType<typeof setInterval> | undefined;
  /** The submit button that was clicked last, until its form is answered. */
  pressed?: HTMLButtonElement | undefined;
  /** The port to the parent window, if bridge.ts has accepted one. */
  port?: MessagePort | undefined;
}

/** Reads the page as the server sent it. */
export const openPage = (): OpenPage => {
  const { body } = document;
  const data: OpenPage['data'] = body.dataset;
  return {
    main: document.querySelector('main') as HTMLElement,
    speech: document.querySelector('#announcement') as HTMLElement,
    data,
    reference: data.reference as string,
    isEmbedded: body.classList.contains('embedded'),
    htmlPolicy: (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('pay', {
      createHTML: (text) => text,
    }),
    state: readState(data, performance.now()),
    turn: Promise.resolve(),
  };
};

/** Changes a part of the page's state. */
export const updateState = (page: OpenPage, change: Partial<State>): void => {
  page.state = { ...page.state, ...change };
};

/** Returns the server's time now, in milliseconds. */
export const serverNow = (page: OpenPage): number => timeAt(page.state, performance.now());

/** Lets a screen reader say a text. */
export const announce = ({ speech }: OpenPage, text: string): void => {
  speech.textContent = '';
  // A screen reader reads the same text again only if it was removed before.
  setTimeout(() => {
    speech.textContent = text;
  }, 50);
};
