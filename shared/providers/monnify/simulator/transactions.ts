import type { Incoming } from '#shared/providers/common/simulator/ledger.ts';
import { computeFee, type Kobo, nairaNumber, nairaText } from '#shared/providers/common/simulator/money.ts';
import type { MonnifyPreference } from './preferences.ts';
import { findSenderBankCode, formatLagosTime, formatPaidOn, MERCHANT_NAME } from './shapes.ts';
import type { MonnifyTransaction } from './transaction.ts';

/** The time at which a transaction is shown, and the preference that decides its form. */
export interface View {
  readonly now: number;
  readonly preference: Pick<MonnifyPreference, 'rows' | 'refunds' | 'references'>;
}

/** Shows the references of a transaction in the preferred spelling. For a transfer to a static account, `paymentReference` is Monnify's own. */
export const showReferences = (
  { paymentReference, product }: MonnifyTransaction,
  { references }: Pick<MonnifyPreference, 'references'>,
) => {
  const spell = (reference: string): string => (references === 'as_sent' ? reference : reference.toLowerCase());
  const isToVirtualAccount = product.type === 'RESERVED_ACCOUNT';
  return {
    paymentReference: isToVirtualAccount ? paymentReference : spell(paymentReference),
    product: { ...product, reference: spell(product.reference) },
  };
};

/** Computes Monnify's fee: 1.5 %, at most 2,000 naira. */
export const monnifyFee = (amount: Kobo): Kobo => computeFee(amount, 150, 200_000);

/** Finds the status that follows from the paid amount. */
export const paidStatus = (paid: Kobo, amount: Kobo): string =>
  paid === amount ? 'PAID' : paid > amount ? 'OVERPAID' : 'PARTIALLY_PAID';

/** Finds the status after a refund (not confirmed); undefined if it does not change. */
const findStatusAfterRefund = (
  { paidBy, refunded }: MonnifyTransaction,
  { refunds }: View['preference'],
): string | undefined => {
  if (!paidBy || refunded === 0 || refunds === 'hidden') return undefined;
  if (refunded === paidBy.amount) return refunds === 'reversed' ? 'REVERSED' : 'REFUNDED';
  return refunds === 'status' ? 'PARTIALLY_REFUNDED' : undefined;
};

/** Finds the status of a transaction (providers.md section 2.4). */
export const findStatus = (transaction: MonnifyTransaction, { now, preference }: View): string => {
  const { amount, paidBy, isReversed, account } = transaction;
  if (isReversed) return 'REVERSED';
  if (paidBy) return findStatusAfterRefund(transaction, preference) ?? paidStatus(paidBy.amount, amount);
  return account?.expiresAt && now >= account.expiresAt ? 'EXPIRED' : 'PENDING';
};

const computeShownPaid = ({ paidBy, refunded }: MonnifyTransaction, { refunds }: View['preference']): Kobo =>
  (paidBy?.amount ?? 0) - (refunds === 'amount' ? refunded : 0);

const buildSenderDetails = (paidBy: Incoming) => ({
  accountName: paidBy.senderName ?? '',
  accountNumber: '******7503',
  bankCode: findSenderBankCode(paidBy),
  amountPaid: nairaText(paidBy.amount),
});

/** Shows a look-up (providers.md section 2.4). Amounts are texts, and `totalPayable` is "0.00" until something is paid. */
export const transactionView = (transaction: MonnifyTransaction, view: View) => {
  const { paidBy, customer } = transaction;
  const { paymentReference, product } = showReferences(transaction, view.preference);
  const paid = computeShownPaid(transaction, view.preference);
  const details = paidBy && buildSenderDetails(paidBy);
  return {
    transactionReference: transaction.transactionReference,
    paymentReference,
    amountPaid: nairaText(paid),
    totalPayable: paidBy ? nairaText(transaction.amount) : '0.00',
    settlementAmount: paidBy ? nairaText(paid - monnifyFee(paid)) : null,
    paidOn: paidBy ? formatPaidOn(paidBy.paidAt) : null,
    paymentStatus: findStatus(transaction, view),
    paymentDescription: transaction.description,
    currency: 'NGN',
    paymentMethod: 'ACCOUNT_TRANSFER',
    product,
    cardDetails: null,
    customer,
    ...(details && { accountDetails: details, accountPayments: [details], metaData: {} }),
  };
};

const formatWithZone = (at: number): string => new Date(at).toISOString().replace('Z', '+00:00');

/**
 * Shows a row of the list (providers.md section 2.4). The field of the customer has another name there, `createdOn` has a zone, and `completedOn` has
 * none.
 */
export const searchView = (transaction: MonnifyTransaction, view: View) => {
  const { paidBy, amount } = transaction;
  return {
    customerDTO: { email: transaction.customer.email, name: transaction.customer.name },
    paymentMethod: 'ACCOUNT_TRANSFER',
    createdOn: formatWithZone(transaction.createdAt),
    amount: nairaNumber(amount),
    currencyCode: 'NGN',
    paymentDescription: transaction.description,
    paymentStatus: findStatus(transaction, view),
    transactionReference: transaction.transactionReference,
    paymentReference: showReferences(transaction, view.preference).paymentReference,
    merchantName: MERCHANT_NAME,
    completed: paidBy !== null,
    paymentMethodList: ['ACCOUNT_TRANSFER'],
    collectionChannel: transaction.product.type,
    ...(paidBy && {
      completedOn: formatLagosTime(paidBy.paidAt),
      payableAmount: nairaNumber(amount),
      fee: nairaNumber(monnifyFee(paidBy.amount)),
    }),
    ...(paidBy &&
      view.preference.rows === 'paid' && { amountPaid: nairaNumber(computeShownPaid(transaction, view.preference)) }),
  };
};

/** Shows a row of one account's list (providers.md section 2.2). Such a row always has the paid amount. */
export const accountRow = (transaction: MonnifyTransaction, view: View) => {
  const { transactionReference, paymentReference, amountPaid, totalPayable, paymentStatus, paymentDescription } =
    transactionView(transaction, view);
  const { paidBy } = transaction;
  return {
    transactionReference,
    paymentReference,
    amountPaid: Number(amountPaid),
    totalPayable: Number(totalPayable),
    paymentStatus,
    paymentDescription,
    currency: 'NGN',
    paidOn: paidBy && formatPaidOn(paidBy.paidAt),
  };
};
