import type { Account, Incoming } from '#shared/providers/common/simulator/ledger.ts';
import { nairaNumber } from '#shared/providers/common/simulator/money.ts';
import type { Answer } from '#shared/providers/common/simulator/wire.ts';
import type { MonnifyPreference } from './preferences.ts';
import type { MonnifyTransaction } from './transaction.ts';

/** A reservation: a static account with one number at each bank. */
export interface MonnifyReservation {
  readonly reference: string;
  readonly accountName: string;
  readonly customer: { readonly name: string; readonly email: string };
  readonly identity: readonly string[];
  readonly accounts: readonly Account[];
  readonly createdAt: number;
}

/** The name of the simulator's merchant. The names of payment accounts begin with it. */
export const MERCHANT_NAME = 'Simshop';

const BANK_CODES: Readonly<Record<string, string>> = { 'access bank': '044', gtbank: '058', 'zenith bank': '057' };

/** Finds the code of the sender's bank; empty if there is none (providers.md section 2.5). */
export const findSenderBankCode = ({ senderBank }: Incoming): string =>
  /^\d+$/.test(senderBank ?? '') ? (senderBank ?? '') : (BANK_CODES[senderBank?.toLowerCase() ?? ''] ?? '');

const LAGOS_OFFSET_MS = 60 * 60 * 1000;
/** Formats a time as Lagos time without a zone: `2026-11-21T17:05:09.123` (providers.md section 2.1). */
export const formatLagosTime = (at: number): string => new Date(at + LAGOS_OFFSET_MS).toISOString().slice(0, -1);

/** Formats a time as Lagos time with the day first: `21/11/2026 5:05:09 PM` (providers.md section 2.5). */
export const formatDayFirst = (at: number): string => {
  const [date = '', time = ''] = formatLagosTime(at).split('T');
  const [year, month, day] = date.split('-');
  const [hour = '', minute = '', second = ''] = time.split(':');
  const half = Number(hour) < 12 ? 'AM' : 'PM';
  return `${day}/${month}/${year} ${Number(hour) % 12 || 12}:${minute}:${second.slice(0, 2)} ${half}`;
};

/** Formats `paidOn`, which has two formats (providers.md section 2.5). The minute of the payment selects one, so that both occur. */
export const formatPaidOn = (at: number): string =>
  new Date(at).getUTCMinutes() % 2 === 0 ? formatLagosTime(at).replace('T', ' ') : formatDayFirst(at);

/** Builds a success answer (providers.md section 2.1). */
export const monnifySuccess = (responseBody: unknown): Answer => ({
  status: 200,
  json: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
});

/** Builds an error answer (providers.md section 2.1). Nearly every error has the code 99. */
export const monnifyError = (status: number, responseMessage: string, responseCode = '99'): Answer => ({
  status,
  json: { requestSuccessful: false, responseMessage, responseCode },
});

/** The answer to an unknown or expired token. It lacks the usual envelope (providers.md section 2.1). */
export const INVALID_TOKEN: Answer = {
  status: 401,
  json: { error: 'invalid_token', error_description: 'Access token expired' },
};

type BankCodes = MonnifyPreference['bankCodes'];

const formatBankCode = (code: string, bankCodes: BankCodes): string | number =>
  bankCodes === 'text' ? code : Number(code);

/** Shows a reservation (providers.md section 2.2). A closed account may still have the status ACTIVE; here it does. */
export const reservationView = (reservation: MonnifyReservation, contractCode: string, bankCodes: BankCodes) => ({
  contractCode,
  accountReference: reservation.reference,
  accountName: reservation.accountName,
  currencyCode: 'NGN',
  customerEmail: reservation.customer.email,
  customerName: reservation.customer.name,
  accounts: reservation.accounts.map(({ bankCode, bankName, number, name }) => ({
    bankCode: formatBankCode(bankCode, bankCodes),
    bankName,
    accountNumber: number,
    accountName: name,
  })),
  collectionChannel: 'RESERVED_ACCOUNT',
  reservationReference: `SIMULATOR${reservation.createdAt}`,
  reservedAccountType: 'GENERAL',
  status: 'ACTIVE',
  createdOn: `${formatLagosTime(reservation.createdAt).replace('T', ' ')}864338`,
  incomeSplitConfig: [],
  restrictPaymentSource: false,
});

/** Shows the account that the second step opens (providers.md section 2.3). `expiresOn` has no zone. */
export const paymentAccountView = (
  transaction: MonnifyTransaction,
  account: Account,
  { seconds, now, bankCodes }: { readonly seconds: number; readonly now: number; readonly bankCodes: BankCodes },
) => ({
  accountNumber: account.number,
  accountName: account.name,
  bankName: account.bankName,
  bankCode: formatBankCode(account.bankCode, bankCodes),
  accountDurationSeconds: seconds,
  ussdPayment: null,
  requestTime: `${formatLagosTime(now)}774984`,
  expiresOn: formatLagosTime(account.expiresAt ?? now).slice(0, 19),
  transactionReference: transaction.transactionReference,
  paymentReference: transaction.paymentReference,
  amount: nairaNumber(transaction.amount),
  fee: 0,
  totalPayable: nairaNumber(transaction.amount),
  collectionChannel: 'API_NOTIFICATION',
});
