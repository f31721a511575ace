/* The page knows this, and learns it from answers. Nothing here touches the page. Times are milliseconds. */

/** The checkout as the server told it last. */
export interface Checkout {
  readonly view: string;
  readonly status: string;
  readonly version: number;
  readonly expires: number;
  /** The name of what is shown: another one is shown anew. */
  readonly content: string;
  /** The server's time when it said so. */
  readonly now: number;
}

/** The body of a status answer (shared/pages/checkout/status.ts). */
export interface Answer extends Checkout {
  readonly title: string;
  readonly html: string;
}

/** Times are those of the server's clock, but for `heardAt`. */
export interface State {
  readonly checkout: Checkout;
  /** When the page heard of it, on the page's own clock, which no payer can set. */
  readonly heardAt: number;
  /** The name of the newest answer; empty before the first one, and where the whole state is wanted. */
  readonly etag: string;
  /** When the page came up, or showed another view. */
  readonly shownAt: number;
  /** When the payer said that the money was sent. */
  readonly sentAt: number | undefined;
  /** When the provider was last asked for on the payer's word. */
  readonly reportedAt: number;
  /** The time that was left when the countdown was last drawn. */
  readonly drawnLeft: number;
  /** Questions in a row that failed. */
  readonly failures: number;
  /** Questions in a row that reached nobody. */
  readonly unreached: number;
  /** Whether the page leads back once it is paid: it does so once, and not where it was paid when it came up, or the payer stays. */
  readonly leadsBack: boolean;
}

/** The state of a page that comes up, from the attributes that the server wrote into it. `at`: the page's own clock. */
export const readState = (data: Readonly<Record<string, string | undefined>>, at: number): State => {
  const [view, status, content] = [data.view as string, data.status as string, data.content as string];
  const [version, expires, now] = [Number(data.version), Number(data.expires), Number(data.now)];
  return {
    checkout: { view, status, version, expires, content, now },
    heardAt: at,
    etag: '',
    shownAt: now,
    sentAt: data.sent ? Number(data.sent) : undefined,
    reportedAt: 0,
    drawnLeft: Number.POSITIVE_INFINITY,
    failures: 0,
    unreached: 0,
    leadsBack: view !== 'paid',
  };
};

/** The server's time at `at` of the page's own clock. */
export const timeAt = ({ checkout, heardAt }: State, at: number): number => checkout.now + at - heardAt;

/** The state after an answer that came at `at` of the page's own clock. */
export const takeAnswer = (state: State, answer: Answer, etag: string, at: number): State => {
  // A read that lags behind what is shown already.
  if (answer.version < state.checkout.version) return { ...state, etag };
  const shownAt = answer.view === state.checkout.view ? state.shownAt : answer.now;
  return { ...state, checkout: answer, heardAt: at, shownAt, etag };
};

/** The state after a question that failed. */
export const countFailure = (state: State): State => ({
  ...state,
  failures: state.failures + 1,
  unreached: state.unreached + 1,
});
