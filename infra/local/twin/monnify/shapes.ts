import type { Account, Incoming } from '#infra/local/twin/ledger.ts';
import { feeOf, type Kobo, nairaNumber, nairaText } from '#infra/local/twin/money.ts';
import type { Answer } from '#infra/local/twin/wire.ts';

/** A static account, with all its numbers: one for each bank. */
export interface MonnifyReservation {
  readonly reference: string;
  readonly accountName: string;
  readonly customer: { readonly name: string; readonly email: string };
  readonly identity: readonly string[];
  readonly accounts: readonly Account[];
  readonly createdAt: number;
}

/** A payment: opened by the merchant in two steps, or by a transfer to a static account. */
export interface MonnifyTransaction {
  readonly transactionReference: string;
  readonly paymentReference: string;
  readonly product: { readonly type: 'RESERVED_ACCOUNT' | 'API_NOTIFICATION'; readonly reference: string };
  readonly amount: Kobo;
  readonly customer: { readonly name: string; readonly email: string };
  readonly description: string;
  readonly createdAt: number;
  /** The second step's; null before it. */
  account: Account | null;
  paidBy: Incoming | null;
  reversed: boolean;
}

const BANK_CODES: Readonly<Record<string, string>> = { 'access bank': '044', gtbank: '058', 'zenith bank': '057' };

/** The sender's bank: its code alone, or an empty text where there is none (providers.md section 2.5). */
export const senderBankCode = ({ senderBank }: Incoming): string =>
  /^\d+$/.test(senderBank ?? '') ? (senderBank ?? '') : (BANK_CODES[senderBank?.toLowerCase() ?? ''] ?? '');

/** What Monnify pays out of an incoming amount: 1.5 % less, but at most 2,000 naira less. */
export const settlementOf = (amount: Kobo): Kobo => amount - feeOf(amount, 150, 200_000);

const WAT_MS = 60 * 60 * 1000;
/** Lagos time without a zone, as providers.md section 2.1 says: `2026-11-21T17:05:09.123`. */
export const lagos = (at: number): string => new Date(at + WAT_MS).toISOString().slice(0, -1);
const twoDigits = (value: string): string => value.padStart(2, '0');

/** providers.md section 2.5: `paidOn` comes in two formats. The minute of the payment decides which one it gets, so that both occur. */
export const paidOn = (at: number): string => {
  const [date = '', time = ''] = lagos(at).split('T');
  const [year, month, day] = date.split('-');
  const [hour = '', minute = '', second = ''] = time.split(':');
  if (Number(minute) % 2 === 0) return `${date} ${time}`;
  const half = Number(hour) < 12 ? 'AM' : 'PM';
  return `${day}/${month}/${year} ${Number(hour) % 12 || 12}:${minute}:${twoDigits(second.slice(0, 2))} ${half}`;
};

/** providers.md section 2.1: the success envelope. */
export const monnifySuccess = (responseBody: unknown): Answer => ({
  status: 200,
  json: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
});

/** providers.md section 2.1: the error envelope. The code is 99 for nearly everything. */
export const monnifyError = (status: number, responseMessage: string, responseCode = '99'): Answer => ({
  status,
  json: { requestSuccessful: false, responseMessage, responseCode },
});

/** providers.md section 2.1: the answer to an unknown or expired token, in a shape of its own. */
export const INVALID_TOKEN: Answer = {
  status: 401,
  json: { error: 'invalid_token', error_description: 'Access token expired' },
};

/** providers.md section 2.2. A closed account may still have the status ACTIVE; here it does. */
export const reservationView = (reservation: MonnifyReservation, contractCode: string) => ({
  contractCode,
  accountReference: reservation.reference,
  accountName: reservation.accountName,
  currencyCode: 'NGN',
  customerEmail: reservation.customer.email,
  customerName: reservation.customer.name,
  accounts: reservation.accounts.map(({ bankCode, bankName, number, name }) => ({
    bankCode,
    bankName,
    accountNumber: number,
    accountName: name,
  })),
  collectionChannel: 'RESERVED_ACCOUNT',
  reservationReference: `TWIN${reservation.createdAt}`,
  reservedAccountType: 'GENERAL',
  status: 'ACTIVE',
  createdOn: `${lagos(reservation.createdAt).replace('T', ' ')}864338`,
  incomeSplitConfig: [],
  restrictPaymentSource: false,
});

/** providers.md section 2.3: the second step's answer. `expiresOn` has no zone. */
export const paymentAccountView = (
  transaction: MonnifyTransaction,
  account: Account,
  seconds: number,
  now: number,
) => ({
  accountNumber: account.number,
  accountName: account.name,
  bankName: account.bankName,
  bankCode: account.bankCode,
  accountDurationSeconds: seconds,
  ussdPayment: null,
  requestTime: `${lagos(now)}774984`,
  expiresOn: lagos(account.expiresAt ?? now).slice(0, 19),
  transactionReference: transaction.transactionReference,
  paymentReference: transaction.paymentReference,
  amount: nairaNumber(transaction.amount),
  fee: 0,
  totalPayable: nairaNumber(transaction.amount),
  collectionChannel: 'API_NOTIFICATION',
});

/** The status of a transaction by what was paid of its amount. */
export const paidStatus = (paid: Kobo, amount: Kobo): string =>
  paid === amount ? 'PAID' : paid > amount ? 'OVERPAID' : 'PARTIALLY_PAID';

/** providers.md section 2.4: the status of a transaction. */
export const statusOf = ({ amount, paidBy, reversed, account }: MonnifyTransaction, now: number): string => {
  if (reversed) return 'REVERSED';
  if (paidBy) return paidStatus(paidBy.amount, amount);
  return account?.expiresAt && now >= account.expiresAt ? 'EXPIRED' : 'PENDING';
};

/** providers.md section 2.4: a look-up. Amounts are texts, and `totalPayable` is "0.00" while nothing is paid. */
export const transactionView = (transaction: MonnifyTransaction, now: number) => {
  const { paidBy, account, product, customer } = transaction;
  const paid = paidBy?.amount ?? 0;
  const details = account &&
    paidBy && {
      accountName: paidBy.senderName ?? '',
      accountNumber: '******7503',
      bankCode: senderBankCode(paidBy),
      amountPaid: nairaText(paid),
    };
  return {
    transactionReference: transaction.transactionReference,
    paymentReference: transaction.paymentReference,
    amountPaid: nairaText(paid),
    totalPayable: paidBy ? nairaText(transaction.amount) : '0.00',
    settlementAmount: paidBy ? nairaText(settlementOf(paid)) : null,
    paidOn: paidBy ? paidOn(paidBy.paidAt) : null,
    paymentStatus: statusOf(transaction, now),
    paymentDescription: transaction.description,
    currency: 'NGN',
    paymentMethod: 'ACCOUNT_TRANSFER',
    product,
    cardDetails: null,
    accountDetails: details,
    accountPayments: details ? [details] : [],
    customer,
    metaData: {},
  };
};

/** providers.md section 2.1: an entry of the list. Its time of creation has a zone. */
export const searchView = (transaction: MonnifyTransaction, now: number) => ({
  ...transactionView(transaction, now),
  createdOn: new Date(transaction.createdAt).toISOString().replace('Z', '+00:00'),
});
