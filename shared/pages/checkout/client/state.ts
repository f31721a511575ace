/* Holds the page's state, and how an answer changes it. Nothing here touches the document. Times are milliseconds. */

/** The checkout as in the server's last answer. */
export interface Checkout {
  readonly view: string;
  readonly status: string;
  readonly version: number;
  readonly expires: number;
  /** The name of the content. If it changes, the page replaces its content. */
  readonly content: string;
  /** The server's time of the answer. */
  readonly now: number;
}

/** The body of a status answer (shared/pages/checkout/status.ts). */
export interface Answer extends Checkout {
  readonly title: string;
  readonly html: string;
}

/** The page's state. Times are the server's, except `receivedAt`. */
export interface State {
  readonly checkout: Checkout;
  /** When the page received the checkout, on the page's own clock (`performance.now`), which a payer cannot set. */
  readonly receivedAt: number;
  /** The ETag of the newest answer. It is empty before the first answer, and if the next question asks for the whole state. */
  readonly etag: string;
  /** When the page opened or changed its view. */
  readonly shownAt: number;
  /** When the payer said that the money was sent. */
  readonly sentAt: number | undefined;
  /** When the page last reported to the server that the money was sent. */
  readonly reportedAt: number;
  /** The remaining time when the countdown was last drawn. */
  readonly drawnTimeLeft: number;
  /** Number of questions in a row that failed. */
  readonly failures: number;
  /** Number of questions in a row that did not reach the server. An answer sets it to 0, or to 1 if the answer is an error. */
  readonly unreached: number;
  /**
   * Whether the page leads the payer back when the checkout becomes paid. False if it was paid when the page opened, if the payer chose to
   * stay, and after the page has led back once.
   */
  readonly returnsToShop: boolean;
}

/** Reads the state of a page that opens from the attributes that the server wrote into it. `at`: the time on the page's own clock. */
export const readState = (data: Readonly<Record<string, string | undefined>>, at: number): State => {
  const [view, status, content] = [data.view as string, data.status as string, data.content as string];
  const [version, expires, now] = [Number(data.version), Number(data.expires), Number(data.now)];
  return {
    checkout: { view, status, version, expires, content, now },
    receivedAt: at,
    etag: '',
    shownAt: now,
    sentAt: data.sent ? Number(data.sent) : undefined,
    reportedAt: 0,
    drawnTimeLeft: Number.POSITIVE_INFINITY,
    failures: 0,
    unreached: 0,
    returnsToShop: view !== 'paid',
  };
};

/** Converts `at`, a time on the page's own clock, to the server's time. */
export const timeAt = ({ checkout, receivedAt }: State, at: number): number => checkout.now + at - receivedAt;

/** Returns the state after an answer. `at`: when it was received, on the page's own clock. */
export const takeAnswer = (state: State, answer: Answer, etag: string, at: number): State => {
  // The server read an older version than the page shows, so the page keeps its own.
  if (answer.version < state.checkout.version) return { ...state, etag };
  const shownAt = answer.view === state.checkout.view ? state.shownAt : answer.now;
  return { ...state, checkout: answer, receivedAt: at, shownAt, etag };
};

/** Returns the state after a question that failed. */
export const countFailure = (state: State): State => ({
  ...state,
  failures: state.failures + 1,
  unreached: state.unreached + 1,
});
