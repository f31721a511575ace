import { escapeHtml, htmlPage, pagePolicy } from '#infra/local/pages/html.ts';
import type { Account } from '#shared/providers/common/simulator/ledger.ts';
import { nairaText } from '#shared/providers/common/simulator/money.ts';

/** How a transfer ended, for the person who made it. */
export interface Outcome {
  readonly isDone: boolean;
  readonly sentence: string;
}

/** What the form holds when it opens. */
export interface FormValues {
  readonly accountNumber: string;
  readonly amount: string;
  readonly senderName: string;
  readonly senderBank: string;
}

/** Accounts shown to choose from. */
const MAX_ACCOUNTS = 20;

/** Forbids everything but the page's style and its form. A referrer policy would take the form's origin away, which is checked. */
export const TRANSFER_PAGE_HEADERS = {
  'content-security-policy': pagePolicy(),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

const field = (label: string, name: string, value: string, more: string): string =>
  `<label>${label}<input name="${name}" value="${escapeHtml(value)}" ${more}></label>`;

const form = ({ accountNumber, amount, senderName, senderBank }: FormValues): string => `
  <form method="post" action="/pay">
    ${field('Account number', 'account_number', accountNumber, 'required inputmode="numeric" autocomplete="off"')}
    ${field('Amount in naira', 'amount', amount, 'required inputmode="decimal" autocomplete="off" placeholder="8500.75"')}
    ${field('Sender (may be left out)', 'sender_name', senderName, 'autocomplete="off" placeholder="Chidi Eze"')}
    ${field("Sender's bank (may be left out)", 'sender_bank', senderBank, 'autocomplete="off" placeholder="GTBank"')}
    <button>Transfer</button>
  </form>`;

const row = (account: Account): string => {
  const { number, provider, name, toPay } = account;
  const query = new URLSearchParams({ account_number: number, ...(toPay !== null && { amount: nairaText(toPay) }) });
  const expects = toPay === null ? 'any amount' : `₦${nairaText(toPay)}`;
  return `<tr><td><a href="/pay?${escapeHtml(String(query))}">${escapeHtml(number)}</a></td><td>${provider}</td><td>${escapeHtml(name)}</td><td>${expects}</td></tr>`;
};

const chooser = (accounts: readonly Account[]): string =>
  accounts.length === 0
    ? '<p>No account was opened since the simulator started. Start a checkout with the live key, then reload this page.</p>'
    : `<div class="scroll"><table>
    <thead><tr><th>Account</th><th>Provider</th><th>Name</th><th>Expects</th></tr></thead>
    <tbody>${accounts.map(row).join('')}</tbody>
  </table></div>`;

const verdict = ({ isDone, sentence }: Outcome): string =>
  `<p class="empty" role="status"><span class="${isDone ? 'good' : 'bad'}">${isDone ? 'Transferred.' : 'Not transferred.'}</span> ${escapeHtml(sentence)}</p>`;

/** The form in which a person makes a transfer, with the newest open accounts; `outcome` is that of the transfer before. */
export const transferPage = (values: FormValues, accounts: readonly Account[], outcome?: Outcome): string =>
  htmlPage(
    'Transfer at the provider simulator',
    'It plays every live provider. No real money moves.',
    `${outcome ? verdict(outcome) : ''}${form(values)}
  <h2>Newest accounts</h2>
  ${chooser(accounts.slice(-MAX_ACCOUNTS).toReversed())}`,
  );
