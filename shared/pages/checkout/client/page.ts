import { GREETING, type PageMessage } from '#shared/pages/widget/messages.ts';
import { countdown, nextPoll, reportAgainAfter, spoken } from './schedule.ts';

/*
 * Keeps the page fresh while somebody looks at it. It knows no texts and decides nothing: the server renders every view, and the page
 * works without this.
 */

/** The body of a status answer (shared/pages/checkout/status.ts). */
interface Status {
  readonly status: string;
  readonly view: string;
  readonly version: number;
  readonly now: number;
  readonly expires: number;
  readonly html: string;
}

const REDIRECT_SECONDS = 8;
const OFFLINE_AFTER = 3;
const POLL_TIMEOUT = 10_000;

const { body } = document;
const main = document.querySelector('main') as HTMLElement;
const said = document.querySelector('#said') as HTMLElement;
const base = location.pathname;
/** Browsers with trusted types take HTML from this policy alone: from our server, in one place. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}
const trusted = (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('pay', {
  createHTML: (text) => text,
});

const data = body.dataset as Readonly<Record<string, string | undefined>>;
const isEmbedded = body.classList.contains('embedded');
const reference = data.reference as string;
let [view, status, version] = [data.view as string, data.status as string, Number(data.version)];
let expires = Number(data.expires);
/** The server's time at a moment of the page's own clock, which no payer can set. */
let clock = { at: performance.now(), now: Number(data.now) };
let etag = '';
/** What the page shows, as an etag names it; a page that says to ask the bank has another name, and is shown once more. */
let content = `${version}.${view}`;
/** The button of a form that was clicked last. */
let pressed: HTMLButtonElement | undefined;
/** Whether the payer has said to stay on this page. */
let hasStayed = false;
/** When the provider was last asked for on the payer's word, on the server's clock. */
let reportedAt = 0;
/** Requests in a row that reached nobody. */
let unreached = 0;
let sentAt = data.sent ? Number(data.sent) : undefined;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let asking = 0;
/** The question that is under way, if it changes nothing. */
let polling: AbortController | undefined;
/** Questions that were dropped for a newer one. */
let dropped = 0;
let last = Promise.resolve();
let port: MessagePort | undefined;
let leaving: ReturnType<typeof setInterval> | undefined;

const serverNow = (): number => clock.now + performance.now() - clock.at;
const shownAt = serverNow();
const say = (text: string): void => {
  said.textContent = '';
  setTimeout(() => {
    said.textContent = text;
  }, 50);
};
const tell = (message: PageMessage): void => port?.postMessage(message);
const place = (path: string): string =>
  `${base}${path}?${new URLSearchParams({ ...(sentAt && { sent: String(sentAt) }), ...(isEmbedded && { embed: '1' }) })}`;

/** When the payer said so, kept by the browser for whoever opens the link again; some browsers keep nothing. */
const kept = {
  read: (): number | undefined => {
    try {
      return Number(localStorage.getItem(reference)) || undefined;
    } catch {
      return undefined;
    }
  },
  write: (at: number): void => {
    try {
      localStorage.setItem(reference, String(at));
    } catch {
      // The page's own address has it too.
    }
  },
};

const stay = (): void => {
  clearInterval(leaving);
  leaving = undefined;
  for (const one of main.querySelectorAll<HTMLElement>('.leaving, [data-stay]')) one.hidden = true;
};

/** Leads back to the merchant after some seconds, which the payer may stop. */
const leaveSoon = (): void => {
  const link = main.querySelector<HTMLAnchorElement>('[data-return]');
  const words = main.querySelector<HTMLElement>('.leaving');
  const button = main.querySelector<HTMLElement>('[data-stay]');
  if (!link || !words || !button || leaving || hasStayed) return;
  let left = REDIRECT_SECONDS;
  const show = (): void => {
    words.textContent = `You will be taken back in ${left} s.`;
  };
  button.hidden = false;
  show();
  leaving = setInterval(() => {
    // Nobody is led away from a page that they have not seen.
    if (document.hidden) return;
    left -= 1;
    show();
    if (left > 0) return;
    stay();
    location.assign(link.href);
  }, 1_000);
};

const isOffline = (now: boolean): void => {
  const shown = document.querySelector('.offline');
  if (!now) shown?.remove();
  if (!now || shown) return;
  const note = document.createElement('p');
  note.className = 'offline';
  note.textContent = 'You seem to be offline. This page goes on when you are back.';
  main.before(note);
  say(note.textContent);
};

const tick = (() => {
  let before = Number.POSITIVE_INFINITY;
  return (): void => {
    const left = expires - serverNow();
    for (const one of main.querySelectorAll('.left')) {
      one.textContent = countdown(left);
      one.setAttribute('role', 'timer');
    }
    const words = main.querySelector('.left') && spoken(before, left);
    if (words) say(words);
    // The time is up: the server says what that means.
    if (before > 0 && left <= 0) poll();
    before = left;
  };
})();

/** All of an etag but its minute, in which the server looks at the business again. */
const contentOf = (tag: string): string => tag.slice(1, tag.lastIndexOf('.'));

/** What a screen reader says of a new content: its heading, what was sent back, and whether the transfer is looked for. */
const spokenContent = (): string =>
  [...main.querySelectorAll('h1, .notice h2, .looking')].map(({ textContent }) => textContent).join('. ');

const controls = (): HTMLElement[] => [...main.querySelectorAll<HTMLElement>('a, button, summary')];
const nameOf = ({ dataset, textContent }: HTMLElement): string | null => dataset.of ?? textContent;

const show = (next: Status, nextContent: string): void => {
  // A read that lags behind what is shown already.
  if (next.version < version) return;
  const isOther = next.view !== view;
  ({ view, status, version, expires } = next);
  clock = { at: performance.now(), now: next.now };
  // What somebody has focused, selected or opened stays as it is.
  if (!isOther && nextContent === content) {
    tick();
    return;
  }
  content = nextContent;
  const focused = controls().find((one) => one === document.activeElement);
  stay();
  main.innerHTML = trusted ? trusted.createHTML(next.html) : next.html;
  const heading = main.querySelector('h1') as HTMLElement;
  say(spokenContent());
  if (isOther) heading.focus({ preventScroll: false });
  else if (focused)
    controls()
      .find((one) => nameOf(one) === nameOf(focused))
      ?.focus();
  tick();
  tell({ type: 'status', reference, status, version });
  if (view === 'paid' && !isEmbedded) leaveSoon();
  if (leaving) say(`${spokenContent()}. You will be taken back in ${REDIRECT_SECONDS} seconds.`);
};

const again = (): void => {
  clearTimeout(timer);
  if (document.hidden) return;
  const now = serverNow();
  const sinceSent = sentAt === undefined ? undefined : now - sentAt;
  const delay = nextPoll({ view, sinceShown: now - shownAt, sinceSent, failures }, Math.random());
  if (delay !== undefined) timer = setTimeout(poll, delay);
};

/** Sends a request for the state, or one that changes it, and shows what comes back. */
const ask = async (path: string, request: RequestInit = {}): Promise<void> => {
  // AbortSignal.timeout is younger than many phones.
  const controller = new AbortController();
  const timeout = setTimeout(() => controller.abort(), POLL_TIMEOUT);
  if (path !== '/simulate') polling = controller;
  try {
    const answer = await fetch(place(path), {
      ...request,
      headers: { accept: 'application/json', ...request.headers },
      signal: controller.signal,
    });
    unreached = 0;
    if (answer.status === 304) return;
    if (!answer.ok) throw new Error(String(answer.status));
    const next = await answer.json();
    etag = answer.headers.get('etag') ?? '';
    show(next, contentOf(etag));
  } finally {
    clearTimeout(timeout);
    if (polling === controller) polling = undefined;
  }
};

const attempt = async (work: () => Promise<void>): Promise<void> => {
  asking += 1;
  const before = dropped;
  try {
    await work();
    failures = 0;
  } catch {
    // What was dropped for a newer question did not fail.
    if (dropped === before) {
      failures += 1;
      unreached += 1;
    }
  }
  asking -= 1;
  isOffline(unreached >= OFFLINE_AFTER);
  again();
};
/** One request after the other, so that an older answer never replaces a newer one. */
const inTurn = (work: () => Promise<void>): Promise<void> => {
  last = last.then(() => attempt(work));
  return last;
};

/** Whether the page says that the transfer is looked for. */
const isLooking = (): boolean => main.querySelector('.looking') !== null;

/** The payer says that the money was sent: the provider is asked, as often as the server lets it be. */
const report = (): Promise<void> => {
  reportedAt = serverNow();
  return ask('/sent', { method: 'POST', body: new URLSearchParams() });
};

const poll = (): void => {
  // One question may be too early: a provider may know of the money seconds later, and its notification may be lost.
  const now = serverNow();
  if (asking === 0 && isLooking() && now - reportedAt >= reportAgainAfter(now - (sentAt ?? now))) {
    void inTurn(report);
    return;
  }
  if (asking === 0) void inTurn(() => ask('/status', etag ? { headers: { 'if-none-match': etag } } : {}));
};

const select = (element: Element): void => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
};

/** Copies a value; where no way of copying is allowed, marks it and says how. */
const copy = async (button: HTMLElement): Promise<void> => {
  const value = document.querySelector(`#${button.dataset.of}`) as HTMLElement;
  const label = button.firstChild as Text;
  const text = button.dataset.copy as string;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    body.append(field);
    field.select();
    isCopied = document.execCommand('copy');
    field.remove();
    button.focus();
  }
  if (!isCopied) select(value);
  label.data = isCopied ? 'Copied' : 'Press and hold to copy';
  say(isCopied ? `Copied ${text}` : 'Press and hold to copy');
  setTimeout(() => {
    label.data = 'Copy';
  }, 3_000);
};

main.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>('button');
  if (button?.type === 'submit') pressed = button;
  if (button?.dataset.copy) void copy(button);
  if (button?.matches('[data-stay]')) {
    hasStayed = true;
    stay();
    main.querySelector('h1')?.focus();
  }
  if (button?.matches('[data-print]')) print();
  if (button?.matches('[data-close]')) tell({ type: 'close' });
});
main.addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  // Younger browsers say which button it was; all of them say that it was clicked.
  const outcome = pressed?.form === form ? pressed.getAttribute('value') : undefined;
  for (const one of form.querySelectorAll('button')) one.disabled = true;
  const isReport = outcome === null || outcome === undefined;
  if (isReport) {
    sentAt = Math.round(serverNow());
    kept.write(sentAt);
    history.replaceState(null, '', place(''));
    tell({ type: 'transfer_reported' });
  }
  const version = form.querySelector('input')?.value ?? '';
  const simulate = () =>
    ask('/simulate', { method: 'POST', body: new URLSearchParams({ version, outcome: outcome ?? '' }) });
  const before = failures;
  void inTurn(isReport ? report : simulate).then(() => {
    // Whoever pressed a button waits for an answer.
    if (failures > before) isOffline(true);
    for (const one of form.querySelectorAll('button')) one.disabled = false;
  });
});
addEventListener('keydown', ({ key }) => {
  if (isEmbedded && key === 'Escape') tell({ type: 'escape' });
});

// A payer comes back from the bank's app: that is when the page has to be right.
/** The page's clock may have stood still with the phone, so the whole state is asked for. */
const lookAgain = (): void => {
  etag = '';
  // A question that began before the phone slept may never be answered.
  if (polling) {
    dropped += 1;
    polling.abort();
  }
  failures = 0;
  void inTurn(() => ask('/status'));
};
document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : lookAgain()));
addEventListener('online', lookAgain);
addEventListener('pageshow', ({ persisted }) => persisted && lookAgain());

/** Whether an origin is one of those that the page may talk to; `http://localhost:*` stands for every port. */
const isAllowed = (origin: string): boolean =>
  (data.origins ?? '')
    .split(' ')
    .some((one) => one === origin || (one.endsWith(':*') && new RegExp(`^${one.slice(0, -2)}(:\\d+)?$`).test(origin)));

addEventListener('message', ({ source, origin, data: greeting, ports }) => {
  if (!isEmbedded || source !== parent || greeting !== GREETING || !ports[0] || !isAllowed(origin)) return;
  port = ports[0];
  tell({ type: 'loaded', reference, status, version });
  new ResizeObserver(() => tell({ type: 'resize', height: document.documentElement.offsetHeight })).observe(body);
});

/** A page that says why there is no checkout. What may pass is tried again. */
const RELOAD_AFTER = 15_000;

const begin = (): void => {
  if (reference === undefined) {
    if (data.retry !== undefined) setTimeout(() => location.reload(), RELOAD_AFTER);
    return;
  }
  document.documentElement.classList.add('js');
  tick();
  setInterval(tick, 1_000);
  if (view === 'paid' && !isEmbedded) leaveSoon();
  if (sentAt === undefined && view !== 'paid') sentAt = kept.read();
  // The link says nothing of it, but this browser does.
  if (sentAt !== undefined && data.sent === undefined) lookAgain();
  else again();
};
begin();
