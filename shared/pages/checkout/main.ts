import { shownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { PayerNotice } from '#shared/checkouts/domain/payer-view.ts';
import { returnAddress } from '#shared/checkouts/domain/return-url.ts';
import { type Html, html } from '#shared/pages/html.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { account, COUNTER_WARNING, closing, earlierCount, howToSend, whichAccount } from './account.ts';
import { receipt } from './receipt.ts';
import { contact, type PageContext, pressedParam, type ViewOf, writeAddress } from './shown.ts';
import { lagosSeconds, lagosTime, naira } from './words.ts';

/*
 * The part of the page that follows the checkout's state. Its texts, and those of account.ts and receipt.ts, are one voice: what has happened, what to do
 * now, and whom to ask with which reference. The script that keeps the page fresh has none of them.
 */

const slowEverywhere = ({ view }: PageContext): Html | false =>
  view.isSlowEverywhere &&
  html`<p class="slow">Transfers are slow at all banks right now. Yours may take longer than usual to arrive.</p>`;

const NO_OTHER_NOW = 'We can’t open another account right now. Try again in a minute.';

/** What to do where the payer's bank cannot find the account. */
const otherAccount = (page: PageContext, { other }: ViewOf<'pay'>): Html | false => {
  if (other === 'not_offered') return false;
  if (other === 'none') {
    const isLast = page.checkout.attempts.length > 1;
    return html`<p class="other">${isLast && 'We have no other account for this payment. '}If your bank can’t find this account, ${contact(page)}</p>`;
  }
  return html`<form method="post" action="${writeAddress(page, '/another-account', 'other')}" class="other"><button class="quiet" data-busy="Opening another account…">My bank can’t find this account</button><p hidden>${NO_OTHER_NOW}</p></form>`;
};

/** Why money never counted, as far as it is known, and what to do now. */
const whySentBack = (
  page: PageContext,
  { why }: PayerNotice & { readonly kind: 'sent_back' },
  ask: Kobo | undefined,
): Html => {
  switch (why) {
    case 'wrong_amount':
      return html`It was not the amount asked for. Your bank will show it when it is back.${ask !== undefined && html` To pay, send exactly ${naira(ask)}.`}`;
    case 'not_needed':
      return html`This payment is complete without it. Your bank will show it when it is back.`;
    case 'unknown':
      return html`It was not accepted. Your bank will show it when it is back. ${askFirst(page)}`;
  }
};

const TAKEN_BACK = 'It arrived, and went back to your bank: it does not count any more.';

/** What to do about money that went back: a payer who may send it again asks first. */
const askFirst = (page: PageContext): Html => {
  switch (page.view.kind) {
    case 'pay':
    case 'underpaid':
      return html`Before you send it again, ${contact(page)}`;
    case 'paid':
      return html`This payment is complete without it.`;
    case 'part_paid':
      return html``;
    default:
      return html`To ask why, ${contact(page)}`;
  }
};

const renderNotice = (page: PageContext, notice: PayerNotice, ask: Kobo | undefined): Html =>
  notice.kind === 'sent_back'
    ? html`<div class="notice"><h2>${naira(notice.amount)} was sent back</h2><p>${whySentBack(page, notice, ask)}</p></div>`
    : html`<div class="notice"><h2>${naira(notice.amount)} was taken back</h2><p>${TAKEN_BACK} ${askFirst(page)}</p></div>`;

const renderNotices = (page: PageContext): Html[] => {
  const { view } = page;
  // Whoever has just sent it is not asked to send it again.
  const ask = 'ask' in view && view.kind !== 'confirming' ? view.ask : undefined;
  return view.notices.map((one) => renderNotice(page, one, ask));
};

const reportForm = ({ link }: PageContext): Html =>
  html`<form method="post" action="/pay/${link}/sent" class="sent"><button class="primary">I’ve sent the money</button><p hidden>We will look as soon as this page is online again.</p></form>`;

/** Where the page leads back to; a button in a frame, whose page is told. */
const leadingBack = (
  page: PageContext,
  words: string,
  kind: 'primary' | 'quiet',
  isCancelled = false,
): Html | undefined => {
  const { reference, merchantReference, callbackUrl, cancelUrl } = page.checkout;
  if (page.isEmbedded) return html`<p><button type="button" class="${kind}" data-close>${words}</button></p>`;
  const url = isCancelled ? (cancelUrl ?? callbackUrl) : callbackUrl;
  if (url === null) return undefined;
  const address = returnAddress(url, { reference, merchantReference, isCancelled });
  return html`<p><a class="${kind}" href="${address}"${page.view.kind === 'paid' && !isReadFirst(page.view) && html` data-return`}>${words}</a></p>`;
};

const NOT_BY_ITSELF = html`<p>This page does not update itself.</p>`;

/** Without the script the payer asks again by hand. It never happens by itself, so that nobody's place on the page is lost (WCAG 2.2.1). */
const again = (page: PageContext): Html | false => {
  const { view } = page;
  if (view.kind === 'paid') return false;
  // Who waits has the provider asked again.
  if (view.kind === 'confirming' || ('isLooking' in view && view.isLooking)) {
    return html`<form method="post" action="${writeAddress(page, '/sent', 'again')}" class="unscripted">${NOT_BY_ITSELF}<button class="check">Check again</button></form>`;
  }
  return html`<div class="unscripted">${NOT_BY_ITSELF}<a class="check" href="${writeAddress(page, '', 'again')}">Check again</a></div>`;
};

const cancel = (page: PageContext): Html => html`${again(page)}${leadingBack(page, 'Cancel', 'quiet', true)}`;
const back = (page: PageContext, kind: 'primary' | 'quiet' = 'primary'): Html =>
  html`${again(page)}${leadingBack(page, `Return to ${page.profile.displayName}`, kind)}`;

/** What is paid for, as the business says it. */
const about = ({ checkout: { description } }: PageContext): Html | false =>
  description !== null && html`<p class="about">${description}</p>`;

const TICK = html`<svg class="tick" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12"/><path d="M6.5 12.5l3.6 3.6 7.4-8"/></svg>`;

/** How much has arrived of what was asked for. */
const arrived = ({ checkout, view: { received } }: PageContext): Html =>
  html`${naira(received)} of ${naira(shownAttempt(checkout).amountToPay)} has arrived.`;

/** Money that was taken back, where no newer money was sent back since. */
const takenBack = ({ view: { notices } }: PageContext): PayerNotice | undefined =>
  notices.length === 1 ? notices.find(({ kind }) => kind === 'taken_back') : undefined;

/** The account stands closed below the news: the payer asks before sending again. */
const payingAgain = (page: PageContext, view: ViewOf<'pay' | 'underpaid'>, { amount }: PayerNotice): Html =>
  html`<h1 tabindex="-1">${naira(amount)} was taken back</h1>${about(page)}
<p>${TAKEN_BACK} <strong>${askFirst(page)}</strong></p>
${view.received > 0 && html`<p>${arrived(page)}</p>`}<details class="again"><summary>Account to send ${naira(view.ask)} to</summary>${closing(page, view)}${account(page, view)}${earlierCount(view)}${howToSend()}${reportForm(page)}</details>${back(page, 'quiet')}`;

const paying = (page: PageContext, view: ViewOf<'pay'>): Html =>
  html`<h1 tabindex="-1">Transfer ${naira(view.ask)}</h1>${about(page)}
${renderNotices(page)}${closing(page, view)}${whichAccount(view)}${account(page, view)}
${howToSend()}${slowEverywhere(page)}${reportForm(page)}${otherAccount(page, view)}${cancel(page)}`;

const WAIT_SIGN = html`<span class="wait" aria-hidden="true"></span>`;
const MAY_LEAVE = html`<span class="script"> You may leave this page and come back.</span>`;

/** How long a transfer takes, and whom to ask where it takes too long. */
const waiting = (page: PageContext, { wait }: ViewOf<'confirming'>): Html => {
  switch (wait) {
    case 'short':
      return html`Most arrive within a minute.${MAY_LEAVE}`;
    case 'long':
      return html`Some banks take a few minutes more. Your transfer is not lost.${MAY_LEAVE}`;
    case 'too_long':
      return html`It has not arrived yet. Ask your bank, or whoever sent it for you, whether it went out. Don’t pay twice: ${contact(page)}`;
  }
};

/** The way back for a payer who pressed the button by mistake; the script forgets too that it was pressed. */
const notSent = ({ link, isEmbedded }: PageContext): Html =>
  html`<p><a class="quiet" href="/pay/${link}${isEmbedded && '?embed=1'}" data-unsent>I haven’t sent it yet</a></p>`;

const confirming = (page: PageContext, view: ViewOf<'confirming'>): Html =>
  html`<h1 tabindex="-1">${WAIT_SIGN}Looking for your transfer of ${naira(view.ask)}</h1>
${view.received > 0 && html`<p>${arrived(page)}</p>`}<p class="looking">${waiting(page, view)}</p>
${slowEverywhere(page)}${renderNotices(page)}${earlierCount(view)}<details class="again"><summary>Account to pay into</summary>${closing(page, view)}${account(page, view)}<p class="rule">${COUNTER_WARNING}</p></details>
${notSent(page)}${back(page, 'quiet')}`;

const underpaid = (page: PageContext, view: ViewOf<'underpaid'>): Html =>
  html`<h1 tabindex="-1">${naira(view.ask)} is still missing</h1>${about(page)}
<p>${arrived(page)} Send the rest to the account below.</p>
${renderNotices(page)}${closing(page, view)}${account(page, view)}${earlierCount(view)}${howToSend()}${reportForm(page)}${back(page, 'quiet')}`;

const isTimeUp = ({ checkout, now }: PageContext): boolean => now >= shownAttempt(checkout).expiresAt;

const partPaid = (page: PageContext): Html =>
  html`<h1 tabindex="-1">Paid in part</h1>${ended(page)}
<p>${arrived(page)} ${isTimeUp(page) && 'Time is up. '}${page.profile.displayName} can see it. <strong>Don’t send more to this account.</strong> To settle the rest, ${contact(page)}</p>
${renderNotices(page)}${back(page)}`;

const checking = (page: PageContext, { isLooking }: ViewOf<'checking'>): Html =>
  isLooking
    ? html`<h1 tabindex="-1">${WAIT_SIGN}Looking for your transfer</h1>
<p class="looking">Time is up: please don’t send money now. What you have sent still counts. We look for it for a few minutes more.${MAY_LEAVE}</p>${renderNotices(page)}${back(page, 'quiet')}`
    : html`<h1 tabindex="-1">Time is up: please don’t send money now</h1>
<p>Have you sent it already? We look for it for a few minutes more.<span class="script"> This page updates itself.</span></p>${renderNotices(page)}${reportForm(page)}${back(page, 'quiet')}`;

/** What an ended payment was for. */
const ended = ({ checkout }: PageContext): Html => {
  const { description, merchantReference } = checkout;
  return html`<p class="about">${naira(shownAttempt(checkout).amountToPay)}${description !== null && html` for ${description}`}${merchantReference !== null && html`, order ${merchantReference}`}</p>`;
};

/** What to do about a payment that is over without money. */
const startAgain = (page: PageContext): Html =>
  html`To pay, start again at ${page.profile.displayName}. <strong>If money has left your account, don’t pay twice:</strong> ${contact(page)}`;

/** An ended payment whose money was taken back. */
const endedTakenBack = (page: PageContext, { amount }: PayerNotice): Html =>
  html`<h1 tabindex="-1">${naira(amount)} was taken back</h1>${ended(page)}
<p>${TAKEN_BACK} This payment is over. To pay again, ${contact(page)}</p>${back(page)}`;

const expired = (page: PageContext): Html =>
  html`<h1 tabindex="-1">This payment has expired</h1>${ended(page)}
<p>${page.view.notices.length === 0 && `Nothing had arrived by ${lagosTime(page.now, page.now)}. `}Money that still arrives counts. ${startAgain(page)}</p>
${renderNotices(page)}${back(page)}`;

const failed = (page: PageContext): Html =>
  html`<h1 tabindex="-1">This payment could not be completed</h1>${ended(page)}
<p>${startAgain(page)}</p>${renderNotices(page)}${back(page)}`;

const closedShop = (page: PageContext): Html =>
  html`<h1 tabindex="-1">${page.profile.displayName} can’t take payments now</h1>
<p>Please don’t send money. <strong>If money has left your account,</strong> ${contact(page)}</p>${back(page)}`;

/** Money that is more than was asked for. */
const overpaid = (page: PageContext, { more }: ViewOf<'paid'>): Html | false => {
  const { displayName } = page.profile;
  return (
    more > 0 &&
    html`<div class="notice"><h2>${naira(more)} more than asked for</h2><p>${displayName} has it, and can see that it is too much. To have it back, ${contact(page)}</p></div>`
  );
};

/** Whether the payer has something to read and perhaps to do, and so is not led away by the page. */
const isReadFirst = ({ more, notices }: ViewOf<'paid'>): boolean => more > 0 || notices.length > 0;

const paid = (page: PageContext, view: ViewOf<'paid'>): Html => {
  const isToRead = isReadFirst(view);
  const isLate = view.transfers.some(({ late }) => late);
  return html`<h1 tabindex="-1">${TICK}Payment received</h1>
<p class="lead">${naira(view.received)} has arrived at ${page.profile.displayName}.${isLate && ' It came after the time was up, and it counts.'}${!isToRead && ' You need to do nothing more.'}</p>
${overpaid(page, view)}${renderNotices(page)}${back(page)}${!page.isEmbedded && html`<p class="after"><span class="leaving"></span><button type="button" class="quiet" data-stay hidden>Stay on this page</button></p>`}${receipt(page, view)}<p class="after"><button type="button" class="quiet script" data-print>Print the receipt</button></p>`;
};

const renderContent = (page: PageContext): Html => {
  const { view } = page;
  const taken = takenBack(page);
  if (taken && (view.kind === 'pay' || view.kind === 'underpaid')) return payingAgain(page, view, taken);
  if (taken && (view.kind === 'expired' || view.kind === 'failed')) return endedTakenBack(page, taken);
  switch (view.kind) {
    case 'pay':
      return paying(page, view);
    case 'confirming':
      return confirming(page, view);
    case 'underpaid':
      return underpaid(page, view);
    case 'part_paid':
      return partPaid(page);
    case 'checking':
      return checking(page, view);
    case 'expired':
      return expired(page);
    case 'paid':
      return paid(page, view);
    case 'failed':
      return failed(page);
    case 'closed_shop':
      return closedShop(page);
  }
};

/** What the buttons of a test checkout's page say, by what they cause. */
const OUTCOMES = {
  exact: 'Pay the amount',
  earlier: 'Pay into the account shown before',
  less: 'Pay half of it',
  more: 'Pay 500 naira more',
  returned: 'Send back a wrong amount',
  late: 'Pay after the time is up',
  failed: 'Fail',
} as const;

const simulator = ({ link, checkout, sentAt }: PageContext): Html =>
  html`<section class="simulator" aria-labelledby="sim"><h2 id="sim">Test mode</h2><p>Cause what a bank transfer would:</p>
<form method="post" action="/pay/${link}/simulate${sentAt !== null && `?sent=${sentAt}`}"><input type="hidden" name="version" value="${checkout.version}">${Object.entries(
    OUTCOMES,
  )
    .filter(([outcome]) => outcome !== 'earlier' || shownAttempts(checkout).length > 1)
    .map(([outcome, words]) => html`<button name="outcome" value="${outcome}">${words}</button>`)}</form></section>`;

/** Without the script the same page comes back from a button that changed nothing: it says so. */
const nothingNew = (page: PageContext): Html | false => {
  const { pressed, view, now } = page;
  const isOther = pressed === pressedParam(page, 'other') && view.kind === 'pay' && view.other === 'offered';
  if (!isOther && pressed !== pressedParam(page, 'again')) return false;
  return html`<p class="slow unscripted">${isOther ? NO_OTHER_NOW : `Checked at ${lagosSeconds(now)}: nothing new has arrived.`}</p>`;
};

/** The content of the page's `main`. */
export const renderMain = (page: PageContext): Html =>
  html`${page.checkout.mode === 'test' && html`<p class="test">Test mode: no money moves</p>`}${nothingNew(page)}${renderContent(page)}${page.checkout.mode === 'test' && simulator(page)}`;

/** The name of what `main` says: an open page shows it anew where it is another. Times in it are no reason. */
export const contentName = ({ checkout: { version }, view }: PageContext): string =>
  [
    version,
    view.kind,
    'wait' in view && view.wait,
    'isLooking' in view && view.isLooking && 'looking',
    'other' in view && view.other,
    view.isSlowEverywhere && 'slow_everywhere',
  ]
    .filter((part) => part !== false)
    .join('.');
