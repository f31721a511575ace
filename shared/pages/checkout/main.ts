import { shownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { PayerNotice } from '#shared/checkouts/domain/payer-view.ts';
import { returnAddress } from '#shared/checkouts/domain/return-url.ts';
import { type Html, html } from '#shared/pages/html.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import {
  COUNTER_WARNING,
  renderAccount,
  renderAccountChoice,
  renderClosingTime,
  renderEarlierNote,
  renderSendingRule,
} from './account.ts';
import { type PageContext, pressedParam, renderContact, type ViewOf, writePageUrl } from './page-context.ts';
import { renderReceipt } from './receipt.ts';
import { lagosSeconds, lagosTime, naira } from './words.ts';

/*
 * Renders the part of the page that depends on the checkout's state. Its texts, like those of account.ts and receipt.ts, say what happened, what to do now, and
 * whom to contact with which reference. The browser's script has no such texts: it shows what the server rendered.
 */

const renderSlowBanks = ({ view }: PageContext): Html | false =>
  view.isSlowEverywhere &&
  html`<p class="slow">Transfers are slow at all banks right now. Yours may take longer than usual to arrive.</p>`;

const NO_OTHER_ACCOUNT_NOW = 'We can’t open another account right now. Try again in a minute.';

/** Renders the next step for a payer whose bank cannot find the account. */
const renderOtherAccount = (page: PageContext, { other }: ViewOf<'pay'>): Html | false => {
  if (other === 'not_offered') return false;
  if (other === 'none') {
    const isLast = page.checkout.attempts.length > 1;
    return html`<p class="other">${isLast && 'We have no other account for this payment. '}If your bank can’t find this account, ${renderContact(page)}</p>`;
  }
  return html`<form method="post" action="${writePageUrl(page, '/another-account', 'other')}" class="other"><button class="quiet" data-busy="Opening another account…">My bank can’t find this account</button><p hidden>${NO_OTHER_ACCOUNT_NOW}</p></form>`;
};

/** Explains why money was sent back, as far as that is known, and what to do now. */
const explainSentBack = (
  page: PageContext,
  { why }: PayerNotice & { readonly kind: 'sent_back' },
  ask: Kobo | undefined,
): Html => {
  switch (why) {
    case 'wrong_amount':
      return html`It was not the amount asked for. Your bank will show you when the money is back.${ask !== undefined && html` To pay, send exactly ${naira(ask)}.`}`;
    case 'not_needed':
      return html`This payment is complete without it. Your bank will show you when the money is back.`;
    case 'unknown':
      return html`It was not accepted. Your bank will show you when the money is back. ${explainNextStep(page)}`;
  }
};

const TAKEN_BACK = 'It arrived, but then it went back to your bank. It no longer counts.';

/** Says what to do about money that went back. A payer who could send it again contacts the business first. */
const explainNextStep = (page: PageContext): Html => {
  switch (page.view.kind) {
    case 'pay':
    case 'underpaid':
      return html`Before you send it again, ${renderContact(page)}`;
    case 'paid':
      return html`This payment is complete without it.`;
    case 'part_paid':
      return html``;
    default:
      return html`To ask why, ${renderContact(page)}`;
  }
};

const renderNotice = (page: PageContext, notice: PayerNotice, ask: Kobo | undefined): Html =>
  notice.kind === 'sent_back'
    ? html`<div class="notice"><h2>${naira(notice.amount)} was sent back</h2><p>${explainSentBack(page, notice, ask)}</p></div>`
    : html`<div class="notice"><h2>${naira(notice.amount)} was taken back</h2><p>${TAKEN_BACK} ${explainNextStep(page)}</p></div>`;

const renderNotices = (page: PageContext): Html[] => {
  const { view } = page;
  // A payer who has just sent money is not asked to send it again.
  const ask = 'ask' in view && view.kind !== 'confirming' ? view.ask : undefined;
  return view.notices.map((notice) => renderNotice(page, notice, ask));
};

const renderSentForm = ({ link }: PageContext): Html =>
  html`<form method="post" action="/pay/${link}/sent" class="sent"><button class="primary">I’ve sent the money</button><p hidden>We will look for your transfer as soon as this page is online again.</p></form>`;

/** Renders the link back to the merchant. In a frame it is a button, and the merchant's page closes the frame. */
const renderWayBack = (
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
  return html`<p><a class="${kind}" href="${address}"${page.view.kind === 'paid' && !hasSomethingToRead(page.view) && html` data-return`}>${words}</a></p>`;
};

const NO_UPDATES = html`<p>This page does not update itself.</p>`;

/**
 * Renders a button for browsers without the script: it loads the page again. The page never loads again by itself, so that nobody loses their place
 * (WCAG 2.2.1).
 */
const renderCheckAgain = (page: PageContext): Html | false => {
  const { view } = page;
  if (view.kind === 'paid') return false;
  // If the payer said that the money was sent, the button reports it again, so that we ask the provider again.
  if (view.kind === 'confirming' || ('isLooking' in view && view.isLooking)) {
    return html`<form method="post" action="${writePageUrl(page, '/sent', 'again')}" class="unscripted">${NO_UPDATES}<button class="check">Check again</button></form>`;
  }
  return html`<div class="unscripted">${NO_UPDATES}<a class="check" href="${writePageUrl(page, '', 'again')}">Check again</a></div>`;
};

const renderCancel = (page: PageContext): Html =>
  html`${renderCheckAgain(page)}${renderWayBack(page, 'Cancel', 'quiet', true)}`;
const renderReturn = (page: PageContext, kind: 'primary' | 'quiet' = 'primary'): Html =>
  html`${renderCheckAgain(page)}${renderWayBack(page, `Return to ${page.profile.displayName}`, kind)}`;

/** Renders the business's description of the goods or service. */
const renderDescription = ({ checkout: { description } }: PageContext): Html | false =>
  description !== null && html`<p class="about">${description}</p>`;

const TICK = html`<svg class="tick" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12"/><path d="M6.5 12.5l3.6 3.6 7.4-8"/></svg>`;

/** Says how much of the amount has arrived. */
const renderReceivedAmount = ({ checkout, view: { received } }: PageContext): Html =>
  html`${naira(received)} of ${naira(shownAttempt(checkout).amountToPay)} has arrived.`;

/** Finds the notice of money that was taken back, if it is the only notice. */
const findTakenBack = ({ view: { notices } }: PageContext): PayerNotice | undefined =>
  notices.length === 1 ? notices.find(({ kind }) => kind === 'taken_back') : undefined;

/** Renders a payment whose money was taken back. The account is folded away, because the payer should contact the business before sending again. */
const renderPayAgain = (page: PageContext, view: ViewOf<'pay' | 'underpaid'>, { amount }: PayerNotice): Html =>
  html`<h1 tabindex="-1">${naira(amount)} was taken back</h1>${renderDescription(page)}
<p>${TAKEN_BACK} <strong>${explainNextStep(page)}</strong></p>
${view.received > 0 && html`<p>${renderReceivedAmount(page)}</p>`}<details class="again"><summary>Account to send ${naira(view.ask)} to</summary>${renderClosingTime(page, view)}${renderAccount(page, view)}${renderEarlierNote(view)}${renderSendingRule()}${renderSentForm(page)}</details>${renderReturn(page, 'quiet')}`;

const renderPay = (page: PageContext, view: ViewOf<'pay'>): Html =>
  html`<h1 tabindex="-1">Transfer ${naira(view.ask)}</h1>${renderDescription(page)}
${renderNotices(page)}${renderClosingTime(page, view)}${renderAccountChoice(view)}${renderAccount(page, view)}
${renderSendingRule()}${renderSlowBanks(page)}${renderSentForm(page)}${renderOtherAccount(page, view)}${renderCancel(page)}`;

const WAIT_SIGN = html`<span class="wait" aria-hidden="true"></span>`;
const MAY_LEAVE = html`<span class="script"> You may leave this page and come back.</span>`;

/** Says how long a transfer takes, and whom to ask if it takes too long. */
const renderWaiting = (page: PageContext, { wait }: ViewOf<'confirming'>): Html => {
  switch (wait) {
    case 'short':
      return html`Most transfers arrive within a minute.${MAY_LEAVE}`;
    case 'long':
      return html`Some banks take a few minutes more. Your transfer is not lost.${MAY_LEAVE}`;
    case 'too_long':
      return html`Your transfer has not arrived yet. Ask your bank, or the person who sent it for you, whether it was sent. Don’t pay twice: ${renderContact(page)}`;
  }
};

/** Renders the link for a payer who said by mistake that the money was sent. If it is clicked, the script also forgets that the money was sent. */
const renderNotSent = ({ link, isEmbedded }: PageContext): Html =>
  html`<p><a class="quiet" href="/pay/${link}${isEmbedded && '?embed=1'}" data-unsent>I haven’t sent it yet</a></p>`;

const renderConfirming = (page: PageContext, view: ViewOf<'confirming'>): Html =>
  html`<h1 tabindex="-1">${WAIT_SIGN}Looking for your transfer of ${naira(view.ask)}</h1>
${view.received > 0 && html`<p>${renderReceivedAmount(page)}</p>`}<p class="looking">${renderWaiting(page, view)}</p>
${renderSlowBanks(page)}${renderNotices(page)}${renderEarlierNote(view)}<details class="again"><summary>Account to pay into</summary>${renderClosingTime(page, view)}${renderAccount(page, view)}<p class="rule">${COUNTER_WARNING}</p></details>
${renderNotSent(page)}${renderReturn(page, 'quiet')}`;

const renderUnderpaid = (page: PageContext, view: ViewOf<'underpaid'>): Html =>
  html`<h1 tabindex="-1">${naira(view.ask)} is still missing</h1>${renderDescription(page)}
<p>${renderReceivedAmount(page)} Send the rest to the account below.</p>
${renderNotices(page)}${renderClosingTime(page, view)}${renderAccount(page, view)}${renderEarlierNote(view)}${renderSendingRule()}${renderSentForm(page)}${renderReturn(page, 'quiet')}`;

const isTimeUp = ({ checkout, now }: PageContext): boolean => now >= shownAttempt(checkout).expiresAt;

const renderPartPaid = (page: PageContext): Html =>
  html`<h1 tabindex="-1">Paid in part</h1>${renderEndedOrder(page)}
<p>${renderReceivedAmount(page)} ${isTimeUp(page) && 'Time is up. '}${page.profile.displayName} can see how much arrived. <strong>Don’t send more to this account.</strong> To pay the rest, ${renderContact(page)}</p>
${renderNotices(page)}${renderReturn(page)}`;

const renderChecking = (page: PageContext, { isLooking }: ViewOf<'checking'>): Html =>
  isLooking
    ? html`<h1 tabindex="-1">${WAIT_SIGN}Looking for your transfer</h1>
<p class="looking">Time is up: please don’t send money now. Money that you have sent still counts. We look for it for a few more minutes.${MAY_LEAVE}</p>${renderNotices(page)}${renderReturn(page, 'quiet')}`
    : html`<h1 tabindex="-1">Time is up: please don’t send money now</h1>
<p>Have you already sent it? Press the button below. We look for it for a few more minutes.<span class="script"> This page updates itself.</span></p>${renderNotices(page)}${renderSentForm(page)}${renderReturn(page, 'quiet')}`;

/** Renders the amount, description and order of an ended payment. */
const renderEndedOrder = ({ checkout }: PageContext): Html => {
  const { description, merchantReference } = checkout;
  return html`<p class="about">${naira(shownAttempt(checkout).amountToPay)}${description !== null && html` for ${description}`}${merchantReference !== null && html`, order ${merchantReference}`}</p>`;
};

/** Says what to do about a payment that ended without money. */
const renderStartAgain = (page: PageContext): Html =>
  html`To pay, start again at ${page.profile.displayName}. <strong>If money has left your account, don’t pay twice:</strong> ${renderContact(page)}`;

/** Renders an ended payment whose money was taken back. */
const renderEndedTakenBack = (page: PageContext, { amount }: PayerNotice): Html =>
  html`<h1 tabindex="-1">${naira(amount)} was taken back</h1>${renderEndedOrder(page)}
<p>${TAKEN_BACK} This payment is over. To pay again, ${renderContact(page)}</p>${renderReturn(page)}`;

const renderExpired = (page: PageContext): Html =>
  html`<h1 tabindex="-1">This payment has expired</h1>${renderEndedOrder(page)}
<p>${page.view.notices.length === 0 && `No money had arrived by ${lagosTime(page.now, page.now)}. `}Money that still arrives counts. ${renderStartAgain(page)}</p>
${renderNotices(page)}${renderReturn(page)}`;

const renderFailed = (page: PageContext): Html =>
  html`<h1 tabindex="-1">This payment could not be completed</h1>${renderEndedOrder(page)}
<p>${renderStartAgain(page)}</p>${renderNotices(page)}${renderReturn(page)}`;

const renderClosedShop = (page: PageContext): Html =>
  html`<h1 tabindex="-1">${page.profile.displayName} can’t take payments now</h1>
<p>Please don’t send money. <strong>If money has left your account,</strong> ${renderContact(page)}</p>${renderReturn(page)}`;

/** Says that the payer sent more than was asked for, and how to get it back. */
const renderOverpaid = (page: PageContext, { excess }: ViewOf<'paid'>): Html | false => {
  const { displayName } = page.profile;
  return (
    excess > 0 &&
    html`<div class="notice"><h2>${naira(excess)} more than asked for</h2><p>${displayName} has received it and can see that it is too much. To get it back, ${renderContact(page)}</p></div>`
  );
};

/** Whether the page of a paid checkout has something that the payer must read, so that it must not lead away by itself. */
const hasSomethingToRead = ({ excess, notices }: ViewOf<'paid'>): boolean => excess > 0 || notices.length > 0;

const renderPaid = (page: PageContext, view: ViewOf<'paid'>): Html => {
  const isReadingNeeded = hasSomethingToRead(view);
  const isLate = view.transfers.some(({ late }) => late);
  return html`<h1 tabindex="-1">${TICK}Payment received</h1>
<p class="lead">${naira(view.received)} has arrived at ${page.profile.displayName}.${isLate && ' It arrived after the time was up, but it counts.'}${!isReadingNeeded && ' You don’t need to do anything else.'}</p>
${renderOverpaid(page, view)}${renderNotices(page)}${renderReturn(page)}${!page.isEmbedded && html`<p class="after"><span class="leaving"></span><button type="button" class="quiet" data-stay hidden>Stay on this page</button></p>`}${renderReceipt(page, view)}<p class="after"><button type="button" class="quiet script" data-print>Print the receipt</button></p>`;
};

const renderContent = (page: PageContext): Html => {
  const { view } = page;
  const takenBack = findTakenBack(page);
  if (takenBack && (view.kind === 'pay' || view.kind === 'underpaid')) return renderPayAgain(page, view, takenBack);
  if (takenBack && (view.kind === 'expired' || view.kind === 'failed')) return renderEndedTakenBack(page, takenBack);
  switch (view.kind) {
    case 'pay':
      return renderPay(page, view);
    case 'confirming':
      return renderConfirming(page, view);
    case 'underpaid':
      return renderUnderpaid(page, view);
    case 'part_paid':
      return renderPartPaid(page);
    case 'checking':
      return renderChecking(page, view);
    case 'expired':
      return renderExpired(page);
    case 'paid':
      return renderPaid(page, view);
    case 'failed':
      return renderFailed(page);
    case 'closed_shop':
      return renderClosedShop(page);
  }
};

/** The labels of the simulator's buttons, by the outcome that each causes. */
const OUTCOMES = {
  exact: 'Pay the amount',
  earlier: 'Pay into the account shown before',
  less: 'Pay half of it',
  more: 'Pay 500 naira too much',
  returned: 'Pay a wrong amount that is sent back',
  late: 'Pay after the time is up',
  failed: 'Let the payment fail',
} as const;

const renderSimulator = ({ link, checkout, sentAt }: PageContext): Html =>
  html`<section class="simulator" aria-labelledby="sim"><h2 id="sim">Test mode</h2><p>Choose what happens, without a bank transfer:</p>
<form method="post" action="/pay/${link}/simulate${sentAt !== null && `?sent=${sentAt}`}"><input type="hidden" name="version" value="${checkout.version}">${Object.entries(
    OUTCOMES,
  )
    .filter(([outcome]) => outcome !== 'earlier' || shownAttempts(checkout).length > 1)
    .map(([outcome, words]) => html`<button name="outcome" value="${outcome}">${words}</button>`)}</form></section>`;

/** Says that a button changed nothing, for a browser without the script, which gets the same page again. */
const renderNothingNew = (page: PageContext): Html | false => {
  const { pressed, view, now } = page;
  const isOther = pressed === pressedParam(page, 'other') && view.kind === 'pay' && view.other === 'offered';
  if (!isOther && pressed !== pressedParam(page, 'again')) return false;
  return html`<p class="slow unscripted">${isOther ? NO_OTHER_ACCOUNT_NOW : `Checked at ${lagosSeconds(now)}: nothing new has arrived.`}</p>`;
};

/** Renders the content of the page's `main`. */
export const renderMain = (page: PageContext): Html =>
  html`${page.checkout.mode === 'test' && html`<p class="test">Test mode: no money moves</p>`}${renderNothingNew(page)}${renderContent(page)}${page.checkout.mode === 'test' && renderSimulator(page)}`;

/** Names the content of `main`. An open page replaces its content if the name changes; times in the text do not change it. */
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
