import { isNamedAfter } from '#shared/checkouts/domain/account-name.ts';
import { type Html, html } from '#shared/pages/html.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { PageContext, PayableView } from './page-context.ts';
import { copyableNaira, groupedDigits, lagosMoment, lagosTime, naira, plainNaira, timeLeft } from './words.ts';

/* Renders the account that a payer sends the money to. */

/** Renders a value with a button that copies `copiedText`. `sign` stands before the value and is not selected with it. */
const renderCopyRow = (label: string, sign: string, value: Html, copiedText: string, key: string): Html =>
  html`<div class="row key"><dt>${label}</dt><dd><span class="value"><span class="sign">${sign}</span><span class="selected" id="v-${key}">${value}</span></span>
<button type="button" class="copy" data-copy="${copiedText}" data-of="v-${key}">Copy<span class="off"> ${label.toLowerCase()}</span></button></dd></div>`;

/** Renders the account name, which the payer's bank shows. If it is not the shop's name, the explanation says whose name it is. */
const renderAccountName = ({ profile: { displayName } }: PageContext, { account }: PayableView): Html | false => {
  const name = account.accountName.trim();
  if (name === '') return false;
  const explanation = isNamedAfter(name, displayName)
    ? html`Your bank should show this name.`
    : html`${name} collects transfers for ${displayName}. Your bank should show this name.`;
  return html`<div class="row"><dt>Account name</dt><dd>${name} <small>${explanation}</small></dd></div>`;
};

/** Some providers send back transfers from a bank counter, and none promises that transfers through an agent work (docs/internals/payment-page.md). */
export const COUNTER_WARNING = 'Transfers at a bank counter or through a POS agent may fail.';

/** Writes all details of the transfer as a text, for a payer who pays with another phone. */
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

/** Renders the amount and the account, with buttons that copy them. */
export const renderAccount = (page: PageContext, view: PayableView): Html => {
  const { accountNumber, bankName } = view.account;
  return html`<dl class="account" id="v-all">
${renderCopyRow('Amount', '₦', copyableNaira(view.ask), plainNaira(view.ask), 'amount')}
${renderCopyRow('Account number', '', groupedDigits(accountNumber), accountNumber, 'number')}
<div class="row"><dt>Bank</dt><dd>${bankName}</dd></div>
${renderAccountName(page, view)}
</dl>
<div class="handing"><button type="button" class="copy" data-copy="${formatDetails(page, view)}" data-of="v-all">Copy all details</button><button type="button" class="share" data-share>Share</button></div>`;
};

/** Renders the rule for sending the money. */
export const renderSendingRule = (): Html =>
  html`<p class="rule"><strong>Send exactly this amount, once,</strong> from your bank’s app, internet banking or USSD. ${COUNTER_WARNING}</p>`;

/** If at most this much time is left, in milliseconds, the page highlights it. client/schedule.ts has the same limit. */
const SOON = 5 * MINUTE;
/** Most transfers arrive within this time, in milliseconds. If at most this much is left, the page says that it is too late to start a transfer. */
const TOO_LATE = MINUTE;

/** Renders the time at which the account closes. */
export const renderClosingTime = ({ now }: PageContext, { expiresAt }: PayableView): Html =>
  html`<p class="closing${expiresAt - now <= SOON && ' soon'}${expiresAt - now <= TOO_LATE && ' too-late'}">The account closes at ${lagosTime(expiresAt, now)} (<span class="left">${timeLeft(expiresAt, now)}</span>).<span class="late"> It is too late to start a transfer now.</span></p>`;

const renderEarlierAccounts = ({ earlier }: PayableView): Html[] =>
  earlier.map(
    ({ accountNumber, bankName }, i) =>
      html`${i > 0 && ' or '}<span class="ref">${groupedDigits(accountNumber)}</span> at ${bankName}`,
  );

/** Tells a payer who was shown earlier accounts which one to use now, and that money on the earlier ones counts. */
export const renderAccountChoice = (view: PayableView): Html | false =>
  view.earlier.length > 0 &&
  html`<p class="earlier"><strong>Pay into the account below.</strong> Already sent money to ${renderEarlierAccounts(view)}? It still counts. Don’t pay twice.</p>`;

/** Tells a payer who has sent money that the earlier accounts count too. */
export const renderEarlierNote = (view: PayableView): Html | false =>
  view.earlier.length > 0 && html`<p>Money that you sent to ${renderEarlierAccounts(view)} counts too.</p>`;
