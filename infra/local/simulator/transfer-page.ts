import { escapeHtml, htmlPage, pagePolicy } from '#infra/local/pages/html.ts';
import type { Account } from '#shared/providers/common/simulator/ledger.ts';
import { nairaText } from '#shared/providers/common/simulator/money.ts';

/** The outcome of a transfer, for the person who made it. */
export interface Outcome {
  readonly isDone: boolean;
  readonly sentence: string;
}

/** The values of the form when it opens. */
export interface FormValues {
  readonly accountNumber: string;
  readonly amount: string;
  readonly senderName: string;
  readonly senderBank: string;
}

/** The most accounts that the page lists. */
const MAX_ACCOUNTS = 20;

/** Allows only the page's style and its form. There is no referrer policy: it would remove the `Origin` of the form's request, which the server checks. */
export const TRANSFER_PAGE_HEADERS = {
  'content-security-policy': pagePolicy(),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

const renderField = (label: string, name: string, value: string, attributes: string): string =>
  `<label>${label}<input name="${name}" value="${escapeHtml(value)}" ${attributes}></label>`;

const renderForm = ({ accountNumber, amount, senderName, senderBank }: FormValues): string => `
  <form method="post" action="/pay">
    ${renderField('Account number', 'account_number', accountNumber, 'required inputmode="numeric" autocomplete="off"')}
    ${renderField('Amount in naira', 'amount', amount, 'required inputmode="decimal" autocomplete="off" placeholder="8500.75"')}
    ${renderField('Sender (optional)', 'sender_name', senderName, 'autocomplete="off" placeholder="Chidi Eze"')}
    ${renderField("Sender's bank (optional)", 'sender_bank', senderBank, 'autocomplete="off" placeholder="GTBank"')}
    <button>Transfer</button>
  </form>`;

const renderAccountRow = (account: Account): string => {
  const { number, provider, name, toPay } = account;
  const query = new URLSearchParams({ account_number: number, ...(toPay !== null && { amount: nairaText(toPay) }) });
  const expected = toPay === null ? 'any amount' : `₦${nairaText(toPay)}`;
  return `<tr><td><a href="/pay?${escapeHtml(String(query))}">${escapeHtml(number)}</a></td><td>${provider}</td><td>${escapeHtml(name)}</td><td>${expected}</td></tr>`;
};

const renderAccountTable = (accounts: readonly Account[]): string =>
  accounts.length === 0
    ? '<p>There are no open accounts. Start a checkout with the live key, then reload this page.</p>'
    : `<div class="scroll"><table>
    <thead><tr><th>Account</th><th>Provider</th><th>Name</th><th>Expects</th></tr></thead>
    <tbody>${accounts.map(renderAccountRow).join('')}</tbody>
  </table></div>`;

const formatOutcome = ({ isDone, sentence }: Outcome): string =>
  `<p class="empty" role="status"><span class="${isDone ? 'good' : 'bad'}">${isDone ? 'Transferred.' : 'Not transferred.'}</span> ${escapeHtml(sentence)}</p>`;

/** Makes the page for transfers by hand, with the newest open accounts. `outcome`: the outcome of the last transfer. */
export const transferPage = (values: FormValues, accounts: readonly Account[], outcome?: Outcome): string =>
  htmlPage(
    'Transfer at the provider simulator',
    'The simulator behaves like the live providers. No real money moves.',
    `${outcome ? formatOutcome(outcome) : ''}${renderForm(values)}
  <h2>Newest accounts</h2>
  ${renderAccountTable(accounts.slice(-MAX_ACCOUNTS).toReversed())}`,
  );
