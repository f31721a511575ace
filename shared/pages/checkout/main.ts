import type { BusinessProfile, Support } from '#shared/businesses/domain/profile.ts';
import { shownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { PayerNotice, PayerView } from '#shared/checkouts/domain/payer-view.ts';
import { returnAddress } from '#shared/checkouts/domain/return-url.ts';
import { type Html, html } from '#shared/pages/html.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { copyableNaira, groupedDigits, lagosDate, lagosTime, naira, plainNaira, timeLeft } from './words.ts';

/* The part of the page that follows the checkout's state. All texts are here: the script that keeps the page fresh has none of them. */

/** What is shown, to whom, and from where. */
export interface Shown {
  readonly link: string;
  readonly checkout: Checkout;
  readonly view: PayerView;
  readonly profile: BusinessProfile;
  readonly now: Millis;
  /** When the payer said that the money was sent; null before. */
  readonly sentAt: Millis | null;
  /** Whether the page is in a merchant's frame, where it leads nowhere and tells the merchant's page instead. */
  readonly isEmbedded: boolean;
}

type Of<K extends PayerView['kind']> = PayerView & { readonly kind: K };

const supportAddress = (support: Support): string => {
  switch (support.kind) {
    case 'email':
      return `mailto:${support.address}`;
    case 'phone':
      return `tel:${support.number}`;
    case 'page':
      return support.url;
  }
};

const contact = ({ profile: { displayName, support } }: Shown, word: 'Contact' | 'contact' = 'contact'): Html =>
  support === null
    ? html`${word} ${displayName}`
    : html`<a href="${supportAddress(support)}" target="_blank" rel="noopener noreferrer">${word} ${displayName}</a>`;

const reference = ({ checkout }: Shown): Html => html`<strong class="ref">${checkout.reference}</strong>`;

/** A value with a button that copies it. `plain` is what is copied; `sign` stands before it, and is not selected with it. */
const copied = (label: string, sign: string, shown: Html, plain: string, key: string): Html =>
  html`<div class="row key"><dt>${label}</dt><dd><span class="value"><span class="sign">${sign}</span><span class="selected" id="v-${key}">${shown}</span></span>
<button type="button" class="copy" data-copy="${plain}" data-of="v-${key}">Copy<span class="off"> ${label.toLowerCase()}</span></button></dd></div>`;

const account = (view: Of<'pay' | 'confirming' | 'underpaid'>): Html => {
  const { accountNumber, accountName, bankName } = view.account;
  return html`<dl class="account">
${copied('Amount', '₦', copyableNaira(view.ask), plainNaira(view.ask), 'amount')}
${copied('Account number', '', groupedDigits(accountNumber), accountNumber, 'number')}
<div class="row"><dt>Bank</dt><dd>${bankName}</dd></div>
<div class="row"><dt>Account name</dt><dd>${accountName} <small>Your bank should show this name.</small></dd></div>
</dl>`;
};

const closing = ({ now }: Shown, expiresAt: Millis): Html =>
  html`The account closes at ${lagosTime(expiresAt, now)} (<span class="left">${timeLeft(expiresAt, now)}</span>).`;

const nameEarlier = ({ earlier }: Of<'pay' | 'confirming' | 'underpaid'>): Html[] =>
  earlier.map(
    ({ accountNumber, bankName }, i) =>
      html`${i > 0 && ' or '}<span class="ref">${groupedDigits(accountNumber)}</span> at ${bankName}`,
  );

/** Which account to pay into, where others were shown before: money on those counts, and nobody is to pay twice. */
const whichAccount = (view: Of<'pay'>): Html | false =>
  view.earlier.length > 0 &&
  html`<p class="earlier"><strong>Pay into the account below.</strong> Already sent money to ${nameEarlier(view)}? It still counts. Don’t pay twice.</p>`;

/** The accounts that were shown before, for a payer who has sent money. */
const earlierCount = (view: Of<'confirming' | 'underpaid'>): Html | false =>
  view.earlier.length > 0 && html`<p>Money that you sent to ${nameEarlier(view)} counts too.</p>`;

const slowEverywhere = ({ view }: Shown): Html | false =>
  view.isSlowEverywhere &&
  html`<p class="slow">Transfers are slow at all banks right now. Yours may take longer than usual to arrive.</p>`;

/** What to do where the payer's bank cannot find the account. */
const otherAccount = (shown: Shown, { other }: Of<'pay'>): Html | false => {
  if (other === 'not_offered') return false;
  if (other === 'none') {
    const isLast = shown.checkout.attempts.length > 1;
    return html`<p class="other">${isLast && 'We have no other account for this payment. '}If your bank can’t find this account, ${contact(shown)} with ${reference(shown)}.</p>`;
  }
  return html`<form method="post" action="/pay/${shown.link}/another-account" class="other"><button class="quiet" data-busy="Opening another account…">My bank can’t find this account</button><p hidden>We can’t open another account right now. Try again in a minute.</p></form>`;
};

/** Why money was sent back, as far as it is known, and what to do. */
const whySentBack = (shown: Shown, isWrongAmount: boolean, ask: Kobo | undefined): Html =>
  isWrongAmount
    ? html`It was not the amount asked for. Your bank will show it when it is back.${ask !== undefined && html` To pay, send exactly ${naira(ask)}.`}`
    : html`It was not accepted. Your bank will show it when it is back. ${contact(shown, 'Contact')} with ${reference(shown)} before you send it again.`;

const notice = (shown: Shown, of: PayerNotice, ask: Kobo | undefined): Html =>
  of.kind === 'sent_back'
    ? html`<div class="notice"><h2>${naira(of.amount)} was sent back</h2><p>${whySentBack(shown, of.isWrongAmount, ask)}</p></div>`
    : html`<div class="notice"><h2>Your bank took ${naira(of.amount)} back</h2><p>${contact(shown, 'Contact')} if you did not ask for this.</p></div>`;

const noticesOf = (shown: Shown): Html[] => {
  const ask = 'ask' in shown.view ? shown.view.ask : undefined;
  return shown.view.notices.map((one) => notice(shown, one, ask));
};

const reportForm = ({ link }: Shown): Html =>
  html`<form method="post" action="/pay/${link}/sent" class="sent"><button class="primary">I’ve sent the money</button></form>`;

/** The form, or in its place that the money is looked for. */
const reported = (shown: Shown, isLooking: boolean): Html =>
  isLooking
    ? html`<p class="looking">We are looking for your transfer. Most arrive within a minute.</p>`
    : reportForm(shown);

/** Where the page leads back to; a button in a frame, whose page is told. */
const leadingBack = (shown: Shown, words: string, kind: 'primary' | 'quiet', isCancelled = false): Html | undefined => {
  const { reference, merchantReference, callbackUrl, cancelUrl } = shown.checkout;
  if (shown.isEmbedded) return html`<p><button type="button" class="${kind}" data-close>${words}</button></p>`;
  const url = isCancelled ? (cancelUrl ?? callbackUrl) : callbackUrl;
  if (url === null) return undefined;
  const address = returnAddress(url, { reference, merchantReference, isCancelled });
  return html`<p><a class="${kind}" href="${address}"${!isCancelled && shown.view.kind === 'paid' && html` data-return`}>${words}</a></p>`;
};

const cancel = (shown: Shown): Html | undefined => leadingBack(shown, 'Cancel', 'quiet', true);
const back = (shown: Shown, kind: 'primary' | 'quiet' = 'primary'): Html | undefined =>
  leadingBack(shown, `Return to ${shown.profile.displayName}`, kind);

/** What is paid for, as the business says it. */
const about = ({ checkout: { description } }: Shown): Html | false =>
  description !== null && html`<p class="about">${description}</p>`;

const TICK = html`<svg class="tick" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="12"/><path d="M6.5 12.5l3.6 3.6 7.4-8"/></svg>`;

const paying = (shown: Shown, view: Of<'pay'>): Html =>
  html`<h1 tabindex="-1">Transfer ${naira(view.ask)}</h1>${about(shown)}
${noticesOf(shown)}${whichAccount(view)}${account(view)}
<p class="rule"><strong>Send exactly this amount, once,</strong> from your bank app. ${closing(shown, view.expiresAt)}</p>
${slowEverywhere(shown)}${reportForm(shown)}${otherAccount(shown, view)}${cancel(shown)}`;

const confirming = (shown: Shown, view: Of<'confirming'>): Html =>
  html`<h1 tabindex="-1"><span class="wait" aria-hidden="true"></span>Looking for your transfer</h1>
${
  view.isSlow
    ? html`<p class="looking">Still not here. Ask your bank whether the transfer went out, and keep the reference ${reference(shown)}.</p>`
    : html`<p class="looking">Most arrive within a minute.<span class="script"> You may leave this page and come back.</span></p>`
}
${slowEverywhere(shown)}${noticesOf(shown)}<details class="again" open><summary>Account to pay into</summary>${account(view)}${earlierCount(view)}<p class="rule">${closing(shown, view.expiresAt)}</p></details>
${back(shown, 'quiet')}`;

const underpaid = (shown: Shown, view: Of<'underpaid'>): Html =>
  html`<h1 tabindex="-1">${naira(view.ask)} is still missing</h1>${about(shown)}
<p>${shown.profile.displayName} received ${naira(view.received)} of ${naira(shownAttempt(shown.checkout).amountToPay)}. Send the rest to the account below.</p>
${noticesOf(shown)}${account(view)}${earlierCount(view)}<p class="rule">${closing(shown, view.expiresAt)}</p>${reported(shown, view.isLooking)}${back(shown, 'quiet')}`;

const partPaid = (shown: Shown, view: Of<'part_paid'>): Html => {
  const { checkout } = shown;
  const arrived = html`${naira(view.received)} of ${naira(shownAttempt(checkout).amountToPay)} arrived`;
  return html`<h1 tabindex="-1">${view.isClosed ? 'Paid in part' : html`${naira(view.missing)} is still missing`}</h1>
<p>${arrived}. ${contact(shown, 'Contact')} with ${reference(shown)} to settle the rest; they can see it. <strong>Don’t send more to this account.</strong></p>
${noticesOf(shown)}${back(shown)}`;
};

const checking = (shown: Shown, view: Of<'checking'>): Html =>
  html`<h1 tabindex="-1">Time is up: please don’t send money now</h1>
<p>Sent it already? We are checking with the bank for a few minutes more.<span class="script"> This page updates itself.</span></p>${noticesOf(shown)}${reported(shown, view.isLooking)}${back(shown, 'quiet')}`;

const expired = (shown: Shown): Html => {
  const { profile, view } = shown;
  const nothing = view.notices.length === 0 ? 'Nothing arrived. ' : '';
  return html`<h1 tabindex="-1">This payment has expired</h1>
<p>${nothing}Start again at ${profile.displayName}. <strong>If money left your account, don’t pay twice:</strong> ${contact(shown)} with ${reference(shown)}. Money that still arrives is recorded.</p>
${noticesOf(shown)}${back(shown)}`;
};

const paid = (shown: Shown, view: Of<'paid'>): Html => {
  const { checkout, profile } = shown;
  const from = view.senderBank === null ? '' : `, from ${view.senderBank}`;
  const late = checkout.payments.some(({ paidAt, late: isLate }) => isLate && paidAt === view.paidAt)
    ? ' It came after the time was up, and it counts.'
    : '';
  return html`<h1 tabindex="-1">${TICK}Payment received</h1>${about(shown)}
<p>${naira(view.received)} to ${profile.displayName}, ${lagosDate(view.paidAt)}${from}.${late}</p>
${view.more > 0 && html`<p>${naira(view.more)} more than asked for; ${profile.displayName} has a record of it.</p>`}
${noticesOf(shown)}${back(shown)}<p class="after">${!shown.isEmbedded && html`<span class="leaving"></span><button type="button" class="quiet" data-stay hidden>Stay on this page</button>`}<button type="button" class="quiet script" data-print>Print</button></p>`;
};

const failed = (shown: Shown): Html =>
  html`<h1 tabindex="-1">This payment could not be completed</h1>
<p>Start again at ${shown.profile.displayName}. If money left your account, don’t pay twice: ${contact(shown)} with ${reference(shown)}.</p>${noticesOf(shown)}${back(shown)}`;

const closedShop = (shown: Shown): Html =>
  html`<h1 tabindex="-1">${shown.profile.displayName} can’t take payments now</h1>
<p>Please don’t send money. If you have sent it already, ${contact(shown)} with ${reference(shown)}.</p>${back(shown)}`;

const contentOf = (shown: Shown): Html => {
  const { view } = shown;
  switch (view.kind) {
    case 'pay':
      return paying(shown, view);
    case 'confirming':
      return confirming(shown, view);
    case 'underpaid':
      return underpaid(shown, view);
    case 'part_paid':
      return partPaid(shown, view);
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

/** Without the script the payer asks again by hand. It never happens by itself, so that nobody's place on the page is lost (WCAG 2.2.1). */
const again = ({ link, view, sentAt }: Shown): Html | false => {
  if (view.kind === 'paid') return false;
  const sent = sentAt !== null && `?sent=${sentAt}`;
  // Who waits has the provider asked again.
  if (view.kind === 'confirming' || ('isLooking' in view && view.isLooking)) {
    return html`<form method="post" action="/pay/${link}/sent${sent}" class="unscripted"><button class="quiet">Check again</button></form>`;
  }
  return html`<p class="unscripted"><a class="quiet" href="/pay/${link}${sent}">Check again</a></p>`;
};

/** The content of the page's `main`. */
export const mainOf = (shown: Shown): Html =>
  html`${shown.checkout.mode === 'test' && html`<p class="test">Test mode: no money moves</p>`}${contentOf(shown)}${again(shown)}${shown.checkout.mode === 'test' && simulator(shown)}`;

/** The name of what `main` says: an open page shows it anew where it is another. Times in it are no reason. */
export const contentName = ({ checkout: { version }, view }: Shown): string =>
  [
    version,
    view.kind,
    'isSlow' in view && view.isSlow && 'slow',
    'isLooking' in view && view.isLooking && 'looking',
    'other' in view && view.other,
    view.isSlowEverywhere && 'slow_everywhere',
  ]
    .filter((part) => part !== false)
    .join('.');
