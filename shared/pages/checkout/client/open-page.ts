import { readState, type State, timeAt } from './state.ts';

/** Browsers with trusted types take HTML from this policy alone: from our server, in one place. */
interface HtmlPolicy {
  createHTML(text: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy;
}

/** A call to the server that is under way. */
interface Call {
  readonly controller: AbortController;
  /** Whether a newer call may take its place: it causes no outcome. */
  readonly mayDrop: boolean;
  isDropped: boolean;
}

/** The page while it is open: its elements, what it knows, and what the browser does for it just now. */
export interface OpenPage {
  readonly main: HTMLElement;
  /** Holds what screen readers say. */
  readonly speech: HTMLElement;
  /** The attributes that the server wrote into the page. */
  readonly data: Readonly<Record<string, string | undefined>>;
  readonly reference: string;
  readonly isEmbedded: boolean;
  readonly trusted: HtmlPolicy | undefined;
  state: State;
  call?: Call | undefined;
  /** Ends when each question so far is answered. */
  turn: Promise<void>;
  /** Waits for the next poll. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** Counts down to leading the payer back. */
  leaving?: ReturnType<typeof setInterval> | undefined;
  /** The button of a form that was clicked last, until it is answered. */
  pressed?: HTMLButtonElement | undefined;
  /** Leads to the parent window, once bridge.ts has met it. */
  port?: MessagePort | undefined;
}

/** Reads the page as the server sent it. */
export const openPage = (): OpenPage => {
  const { body } = document;
  const data: OpenPage['data'] = body.dataset;
  return {
    main: document.querySelector('main') as HTMLElement,
    speech: document.querySelector('#said') as HTMLElement,
    data,
    reference: data.reference as string,
    isEmbedded: body.classList.contains('embedded'),
    trusted: (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('pay', {
      createHTML: (text) => text,
    }),
    state: readState(data, performance.now()),
    turn: Promise.resolve(),
  };
};

/** Changes a part of what the page knows. */
export const updateState = (page: OpenPage, change: Partial<State>): void => {
  page.state = { ...page.state, ...change };
};

/** The server's time now, in milliseconds. */
export const serverNow = (page: OpenPage): number => timeAt(page.state, performance.now());

/** Lets a screen reader say something. */
export const announce = ({ speech }: OpenPage, text: string): void => {
  speech.textContent = '';
  // A text that is said twice has to go away in between.
  setTimeout(() => {
    speech.textContent = text;
  }, 50);
};
