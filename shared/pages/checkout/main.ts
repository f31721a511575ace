import { shownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { PayerNotice } from '#shared/checkouts/domain/payer-view.ts';
import { returnAddress } from '#shared/checkouts/domain/return-url.ts';
import { type Html, html } from '#shared/pages/html.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { account, COUNTERS, closing, earlierCount, howToSend, whichAccount } from './account.ts';
import { receipt } from './receipt.ts';
import { addressOf, contact, pressedAt, type Shown, type ViewOf } from './shown.ts';
import { lagosSeconds, lagosTime, naira } from './words.ts';

/*
 * The part of the page that follows the checkout's state. Its texts, and those of account.ts and receipt.ts, are one voice: what has happened, what to do
 * now, and whom to ask with which reference. The script that keeps the page fresh has none of them.
 */

const slowEverywhere = ({ view }: Shown): Html | false =>
  view.isSlowEverywhere &&
  html`<p class="slow">Transfers are slow at all banks right now. Yours may take longer than usual to arrive.</p>`;

const NO_OTHER_NOW = 'We can’t open another account right now. Try again in a minute.';

/** What to do where the payer's bank cannot find the account. */
const otherAccount = (shown: Shown, { other }: ViewOf<'pay'>): Html | false => {
  if (other === 'not_offered') return false;
  if (other === 'none') {
    const isLast = shown.checkout.attempts.length > 1;
    return html`<p class="other">${isLast && 'We have no other account for this payment. '}If your bank can’t find this account, ${contact(shown)}</p>`;
  }
  return html`<form method="post" action="${addressOf(shown, '/another-account', 'other')}" class="other"><button class="quiet" data-busy="Opening another account…">My bank can’t find this account</button><p hidden>${NO_OTHER_NOW}</p></form>`;
};

/** Why money never counted, as far as it is known, and what to do now. */
const whySentBack = (
  shown: Shown,
  { why }: PayerNotice & { readonly kind: 'sent_back' },
  ask: Kobo | undefined,
): Html => {
  switch (why) {
    case 'wrong_amount':
      return html`It was not the amount asked for. Your bank will show it when it is back.${ask !== undefined && html` To pay, send exactly ${naira(ask)}.`}`;
    case 'not_needed':
      return html`This payment is complete without it. Your bank will show it when it is back.`;
    case 'unknown':
      return html`It was not accepted. Your bank will show it when it is back. ${askFirst(shown)}`;
  }
};

const TAKEN_BACK = 'It arrived, and went back to your bank: it does not count any more.';

/** What to do about money that went back: a payer who may send it again asks first. */
const askFirst = (shown: Shown): Html => {
  switch (shown.view.kind) {
    case 'pay':
    case 'underpaid':
      return html`Before you send it again, ${contact(shown)}`;
    case 'paid':
      return html`This payment is complete without it.`;
    case 'part_paid':
      return html``;
    default:
      return html`To ask why, ${contact(shown)}`;
  }
};

const notice = (shown: Shown, told: PayerNotice, ask: Kobo | undefined): Html =>
  told.kind === 'sent_back'
    ? html`<div class="notice"><h2>${naira(told.amount)} was sent back</h2><p>${whySentBack(shown, told, ask)}</p></div>`
    : html`<div class="notice"><h2>${naira(told.amount)} was taken back</h2><p>${TAKEN_BACK} ${askFirst(shown)}</p></div>`;

const noticesOf = (shown: Shown): Html[] => {
  const { view } = shown;
  // Whoever has just sent it is not asked to send it again.
  const ask = 'ask' in view && view.kind !== 'confirming' ? view.ask : undefined;
  return view.notices.map((one) => notice(shown, one, ask));
};

const reportForm = ({ link }: Shown): Html =>
  html`<form method="post" action="/pay/${link}/sent" class="sent"><button class="primary">I’ve sent the money</button><p hidden>We will look as soon as this page is online again.</p></form>`;

/** Where the page leads back to; a button in a frame, whose page is told. */
const leadingBack = (shown: Shown, words: string, kind: 'primary' | 'quiet', isCancelled = false): Html | undefined => {
  const { reference, merchantReference, callbackUrl, cancelUrl } = shown.checkout;
  if (shown.isEmbedded) return html`<p><button type="button" class="${kind}" data-close>${words}</button></p>`;
  const url = isCancelled ? (cancelUrl ?? callbackUrl) : callbackUrl;
  if (url === null) return undefined;
  const address = returnAddress(url, { reference, merchantReference, isCancelled });
  return html`<p><a class="${kind}" href="${address}"${shown.view.kind === 'paid' && !isReadFirst(shown.view) && html` data-return`}>${words}</a></p>`;
};

const NOT_BY_ITSELF = html`<p>This page does not update itself.</p>`;

/** Without the script the payer asks again by hand. It never happens by itself, so that nobody's place on the page is lost (WCAG 2.2.1). */
const again = (shown: Shown): Html | false => {
  const { view } = shown;
  if (view.kind === 'paid') return false;
  // Who waits has the provider asked again.
  if (view.kind === 'confirming' || ('isLooking' in view && view.isLooking)) {
    return html`<form method="post" action="${addressOf(shown, '/sent', 'again')}" class="unscripted">${NOT_BY_ITSELF}<button class="check">Check again</button></form>`;
  }
  return html`<div class="unscripted">${NOT_BY_ITSELF}<a class="check" href="${addressOf(shown, '', 'again')}">Check again</a></div>`;
};

const cancel = (shown: Shown): Html => html`${again(shown)}${leadingBack(shown, 'Cancel', 'quiet', true)}`;
const back = (shown: Shown, kind: 'primary' | 'quiet' = 'primary'): Html =>
  html`${again(shown)}${leadingBack(shown, `Return to ${shown.profile.displayName}`, kind)}`;

/** What is paid for, as the business says it. */
const about = ({ checkout: { description } }: Shown): Html | false =>
  description !== null && html`<p class="about">${description}</p>`;

const TICK = html`<svg class="tick" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12"/><path d="M6.5 12.5l3.6 3.6 7.4-8"/></svg>`;

/** How much has arrived of what was asked for. */
const arrived = ({ checkout, view: { received } }: Shown): Html =>
  html`${naira(received)} of ${naira(shownAttempt(checkout).amountToPay)} has arrived.`;

/** Money that was taken back, where no newer money was sent back since. */
const takenBack = ({ view: { notices } }: Shown): PayerNotice | undefined =>
  notices.length === 1 ? notices.find(({ kind }) => kind === 'taken_back') : undefined;

/** The account stands closed below the news: the payer asks before sending again. */
const payingAgain = (shown: Shown, view: ViewOf<'pay' | 'underpaid'>, { amount }: PayerNotice): Html =>
  html`<h1 tabindex="-1">${naira(amount)} was taken back</h1>${about(shown)}
<p>${TAKEN_BACK} <strong>${askFirst(shown)}</strong></p>
${view.received > 0 && html`<p>${arrived(shown)}</p>`}<details class="again"><summary>Account to send ${naira(view.ask)} to</summary>${closing(shown, view)}${account(shown, view)}${earlierCount(view)}${howToSend()}${reportForm(shown)}</details>${back(shown, 'quiet')}`;

const paying = (shown: Shown, view: ViewOf<'pay'>): Html =>
  html`<h1 tabindex="-1">Transfer ${naira(view.ask)}</h1>${about(shown)}
${noticesOf(shown)}${closing(shown, view)}${whichAccount(view)}${account(shown, view)}
${howToSend()}${slowEverywhere(shown)}${reportForm(shown)}${otherAccount(shown, view)}${cancel(shown)}`;

const WAIT_SIGN = html`<span class="wait" aria-hidden="true"></span>`;
const MAY_LEAVE = html`<span class="script"> You may leave this page and come back.</span>`;

/** How long a transfer takes, and whom to ask where it takes too long. */
const waiting = (shown: Shown, { wait }: ViewOf<'confirming'>): Html => {
  switch (wait) {
    case 'short':
      return html`Most arrive within a minute.${MAY_LEAVE}`;
    case 'long':
      return html`Some banks take a few minutes more. Your transfer is not lost.${MAY_LEAVE}`;
    case 'too_long':
      return html`It has not arrived yet. Ask your bank, or whoever sent it for you, whether it went out. Don’t pay twice: ${contact(shown)}`;
  }
};

/** The way back for a payer who pressed the button by mistake; the script forgets too that it was pressed. */
const notSent = ({ link, isEmbedded }: Shown): Html =>
  html`<p><a class="quiet" href="/pay/${link}${isEmbedded && '?embed=1'}" data-unsent>I haven’t sent it yet</a></p>`;

const confirming = (shown: Shown, view: ViewOf<'confirming'>): Html =>
  html`<h1 tabindex="-1">${WAIT_SIGN}Looking for your transfer of ${naira(view.ask)}</h1>
${view.received > 0 && html`<p>${arrived(shown)}</p>`}<p class="looking">${waiting(shown, view)}</p>
${slowEverywhere(shown)}${noticesOf(shown)}${earlierCount(view)}<details class="again"><summary>Account to pay into</summary>${closing(shown, view)}${account(shown, view)}<p class="rule">${COUNTERS}</p></details>
${notSent(shown)}${back(shown, 'quiet')}`;

const underpaid = (shown: Shown, view: ViewOf<'underpaid'>): Html =>
  html`<h1 tabindex="-1">${naira(view.ask)} is still missing</h1>${about(shown)}
<p>${arrived(shown)} Send the rest to the account below.</p>
${noticesOf(shown)}${closing(shown, view)}${account(shown, view)}${earlierCount(view)}${howToSend()}${reportForm(shown)}${back(shown, 'quiet')}`;

const isTimeUp = ({ checkout, now }: Shown): boolean => now >= shownAttempt(checkout).expiresAt;

const partPaid = (shown: Shown): Html =>
  html`<h1 tabindex="-1">Paid in part</h1>${ended(shown)}
<p>${arrived(shown)} ${isTimeUp(shown) && 'Time is up. '}${shown.profile.displayName} can see it. <strong>Don’t send more to this account.</strong> To settle the rest, ${contact(shown)}</p>
${noticesOf(shown)}${back(shown)}`;

const checking = (shown: Shown, { isLooking }: ViewOf<'checking'>): Html =>
  isLooking
    ? html`<h1 tabindex="-1">${WAIT_SIGN}Looking for your transfer</h1>
<p class="looking">Time is up: please don’t send money now. What you have sent still counts. We look for it for a few minutes more.${MAY_LEAVE}</p>${noticesOf(shown)}${back(shown, 'quiet')}`
    : html`<h1 tabindex="-1">Time is up: please don’t send money now</h1>
<p>Have you sent it already? We look for it for a few minutes more.<span class="script"> This page updates itself.</span></p>${noticesOf(shown)}${reportForm(shown)}${back(shown, 'quiet')}`;

/** What an ended payment was for. */
const ended = ({ checkout }: Shown): Html => {
  const { description, merchantReference } = checkout;
  return html`<p class="about">${naira(shownAttempt(checkout).amountToPay)}${description !== null && html` for ${description}`}${merchantReference !== null && html`, order ${merchantReference}`}</p>`;
};

/** What to do about a payment that is over without money. */
const startAgain = (shown: Shown): Html =>
  html`To pay, start again at ${shown.profile.displayName}. <strong>If money has left your account, don’t pay twice:</strong> ${contact(shown)}`;

/** An ended payment whose money was taken back. */
const endedTakenBack = (shown: Shown, { amount }: PayerNotice): Html =>
  html`<h1 tabindex="-1">${naira(amount)} was taken back</h1>${ended(shown)}
<p>${TAKEN_BACK} This payment is over. To pay again, ${contact(shown)}</p>${back(shown)}`;

const expired = (shown: Shown): Html =>
  html`<h1 tabindex="-1">This payment has expired</h1>${ended(shown)}
<p>${shown.view.notices.length === 0 && `Nothing had arrived by ${lagosTime(shown.now, shown.now)}. `}Money that still arrives counts. ${startAgain(shown)}</p>
${noticesOf(shown)}${back(shown)}`;

const failed = (shown: Shown): Html =>
  html`<h1 tabindex="-1">This payment could not be completed</h1>${ended(shown)}
<p>${startAgain(shown)}</p>${noticesOf(shown)}${back(shown)}`;

const closedShop = (shown: Shown): Html =>
  html`<h1 tabindex="-1">${shown.profile.displayName} can’t take payments now</h1>
<p>Please don’t send money. <strong>If money has left your account,</strong> ${contact(shown)}</p>${back(shown)}`;

/** Money that is more than was asked for. */
const overpaid = (shown: Shown, { more }: ViewOf<'paid'>): Html | false => {
  const { displayName } = shown.profile;
  return (
    more > 0 &&
    html`<div class="notice"><h2>${naira(more)} more than asked for</h2><p>${displayName} has it, and can see that it is too much. To have it back, ${contact(shown)}</p></div>`
  );
};

/** Whether the payer has something to read and perhaps to do, and so is not led away by the page. */
const isReadFirst = ({ more, notices }: ViewOf<'paid'>): boolean => more > 0 || notices.length > 0;

const paid = (shown: Shown, view: ViewOf<'paid'>): Html => {
  const isToRead = isReadFirst(view);
  const isLate = view.transfers.some(({ late }) => late);
  return html`<h1 tabindex="-1">${TICK}Payment received</h1>
<p class="lead">${naira(view.received)} has arrived at ${shown.profile.displayName}.${isLate && ' It came after the time was up, and it counts.'}${!isToRead && ' You need to do nothing more.'}</p>
${overpaid(shown, view)}${noticesOf(shown)}${back(shown)}${!shown.isEmbedded && html`<p class="after"><span class="leaving"></span><button type="button" class="quiet" data-stay hidden>Stay on this page</button></p>`}${receipt(shown, view)}<p class="after"><button type="button" class="quiet script" data-print>Print the receipt</button></p>`;
};

const contentOf = (shown: Shown): Html => {
  const { view } = shown;
  const taken = takenBack(shown);
  if (taken && (view.kind === 'pay' || view.kind === 'underpaid')) return payingAgain(shown, view, taken);
  if (taken && (view.kind === 'expired' || view.kind === 'failed')) return endedTakenBack(shown, taken);
  switch (view.kind) {
    case 'pay':
      return paying(shown, view);
    case 'confirming':
      return confirming(shown, view);
    case 'underpaid':
      return underpaid(shown, view);
    case 'part_paid':
      return partPaid(shown);
    case 'checking':
      return checking(shown, view);
    case 'expired':
      return expired(shown);
    case 'paid':
      return paid(shown, view);
    case 'failed':
      return failed(shown);
    case 'closed_shop':
      return closedShop(shown);
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

const simulator = ({ link, checkout, sentAt }: Shown): Html =>
  html`<section class="simulator" aria-labelledby="sim"><h2 id="sim">Test mode</h2><p>Cause what a bank transfer would:</p>
<form method="post" action="/pay/${link}/simulate${sentAt !== null && `?sent=${sentAt}`}"><input type="hidden" name="version" value="${checkout.version}">${Object.entries(
    OUTCOMES,
  )
    .filter(([outcome]) => outcome !== 'earlier' || shownAttempts(checkout).length > 1)
    .map(([outcome, words]) => html`<button name="outcome" value="${outcome}">${words}</button>`)}</form></section>`;

/** Without the script the same page comes back from a button that changed nothing: it says so. */
const nothingNew = (shown: Shown): Html | false => {
  const { pressed, view, now } = shown;
  const isOther = pressed === pressedAt(shown, 'other') && view.kind === 'pay' && view.other === 'offered';
  if (!isOther && pressed !== pressedAt(shown, 'again')) return false;
  return html`<p class="slow unscripted">${isOther ? NO_OTHER_NOW : `Checked at ${lagosSeconds(now)}: nothing new has arrived.`}</p>`;
};

/** The content of the page's `main`. */
export const mainOf = (shown: Shown): Html =>
  html`${shown.checkout.mode === 'test' && html`<p class="test">Test mode: no money moves</p>`}${nothingNew(shown)}${contentOf(shown)}${shown.checkout.mode === 'test' && simulator(shown)}`;

/** The name of what `main` says: an open page shows it anew where it is another. Times in it are no reason. */
export const contentName = ({ checkout: { version }, view }: Shown): string =>
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
