import { isNamedAfter } from '#shared/checkouts/domain/account-name.ts';
import { type Html, html } from '#shared/pages/html.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { PageContext, PayableView } from './shown.ts';
import { copyableNaira, groupedDigits, lagosMoment, lagosTime, naira, plainNaira, timeLeft } from './words.ts';

/* The account that a payer sends the money to. */

/** A value with a button that copies it. `plain` is what is copied; `sign` stands before it, and is not selected with it. */
const renderCopyRow = (label: string, sign: string, value: Html, plain: string, key: string): Html =>
  html`<div class="row key"><dt>${label}</dt><dd><span class="value"><span class="sign">${sign}</span><span class="selected" id="v-${key}">${value}</span></span>
<button type="button" class="copy" data-copy="${plain}" data-of="v-${key}">Copy<span class="off"> ${label.toLowerCase()}</span></button></dd></div>`;

/** The name that the payer's bank shows, and why it is not the shop's. */
const accountName = ({ profile: { displayName } }: PageContext, { account }: PayableView): Html | false => {
  const name = account.accountName.trim();
  if (name === '') return false;
  const why = isNamedAfter(name, displayName)
    ? html`Your bank should show this name.`
    : html`${name} collects transfers for ${displayName}. Your bank should show this name.`;
  return html`<div class="row"><dt>Account name</dt><dd>${name} <small>${why}</small></dd></div>`;
};

/** Some providers send counter transfers back, and answer for no agent (docs/internals/payment-page.md). */
export const COUNTER_WARNING = 'Transfers at a bank counter or through a POS agent may fail.';

/** All that another phone needs to pay, as a text. */
const formatDetails = ({ checkout, profile }: PageContext, { account, ask, expiresAt }: PayableView): string =>
  [
    `Pay ${profile.displayName} by bank transfer`,
    `Amount: ${naira(ask)}`,
    `Bank: ${account.bankName}`,
    `Account number: ${account.accountNumber}`,
    ...(account.accountName.trim() === '' ? [] : [`Account name: ${account.accountName}`]),
    `Reference: ${checkout.reference}`,
    `Send exactly this amount, once, before ${lagosMoment(expiresAt)}.`,
    COUNTER_WARNING,
  ].join('\n');

/** What to send where, with buttons that copy it. */
export const account = (page: PageContext, view: PayableView): Html => {
  const { accountNumber, bankName } = view.account;
  return html`<dl class="account" id="v-all">
${renderCopyRow('Amount', '₦', copyableNaira(view.ask), plainNaira(view.ask), 'amount')}
${renderCopyRow('Account number', '', groupedDigits(accountNumber), accountNumber, 'number')}
<div class="row"><dt>Bank</dt><dd>${bankName}</dd></div>
${accountName(page, view)}
</dl>
<div class="handing"><button type="button" class="copy" data-copy="${formatDetails(page, view)}" data-of="v-all">Copy all details</button><button type="button" class="share" data-share>Share</button></div>`;
};

/** How to send it, so that it arrives. */
export const howToSend = (): Html =>
  html`<p class="rule"><strong>Send exactly this amount, once,</strong> from your bank’s app, internet banking or USSD. ${COUNTER_WARNING}</p>`;

/** From here on the time that is left stands out. Milliseconds; the script's clock has the same (client/schedule.ts). */
const SOON = 5 * MINUTE;
/** Most transfers arrive within this time, and it is too late to start one once no more is left. */
const TOO_LATE = MINUTE;

/** When the account closes. */
export const closing = ({ now }: PageContext, { expiresAt }: PayableView): Html =>
  html`<p class="closing${expiresAt - now <= SOON && ' soon'}${expiresAt - now <= TOO_LATE && ' too-late'}">The account closes at ${lagosTime(expiresAt, now)} (<span class="left">${timeLeft(expiresAt, now)}</span>).<span class="late"> It is too late to start a transfer now.</span></p>`;

const nameEarlier = ({ earlier }: PayableView): Html[] =>
  earlier.map(
    ({ accountNumber, bankName }, i) =>
      html`${i > 0 && ' or '}<span class="ref">${groupedDigits(accountNumber)}</span> at ${bankName}`,
  );

/** Which account to pay into, where others were shown before: money on those counts, and nobody is to pay twice. */
export const whichAccount = (view: PayableView): Html | false =>
  view.earlier.length > 0 &&
  html`<p class="earlier"><strong>Pay into the account below.</strong> Already sent money to ${nameEarlier(view)}? It still counts. Don’t pay twice.</p>`;

/** The accounts that were shown before, for a payer who has sent money. */
export const earlierCount = (view: PayableView): Html | false =>
  view.earlier.length > 0 && html`<p>Money that you sent to ${nameEarlier(view)} counts too.</p>`;
