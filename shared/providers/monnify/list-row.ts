import * as z from 'zod/mini';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { parseKoboIfValid, parseNaira } from '#shared/providers/common/money.ts';
import { isMisspelled, toOurReference, writtenReference } from '#shared/providers/common/texts.ts';
import type { ListedPayment, PaymentQuery } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';
import { optionalIdentifier, optionalNaira, RESERVED_ACCOUNT, word } from './fields.ts';
import type { WrongAmountSetting } from './report.ts';
import { findMeaning, type Meaning, PARTLY_PAID } from './statuses.ts';

/** A row of the list, with or without `amountPaid`: Monnify's models lack it, and no source shows a paid row (providers.md section 2.4). */
const row = z.object({
  transactionReference: optionalIdentifier,
  paymentReference: z.catch(z.nullish(writtenReference), null),
  paymentStatus: word,
  collectionChannel: word,
  amountPaid: optionalNaira,
  payableAmount: optionalNaira,
  totalPayable: optionalNaira,
  amount: optionalNaira,
});
type Row = z.infer<typeof row>;

/** Parses an amount into kobo; undefined if it is absent, invalid or zero. */
const parseAmount = (naira: Row['amount']): Kobo | undefined => parseKoboIfValid(parseNaira, naira) || undefined;

const buildQuery = ({ transactionReference, paymentReference }: Row): PaymentQuery | undefined => {
  if (transactionReference) return { by: 'transaction', value: transactionReference };
  if (!paymentReference || toOurReference(paymentReference) === undefined) return undefined;
  return { by: 'our_reference', value: paymentReference };
};

/**
 * Finds the kobo that Monnify kept at first (undefined if the row does not tell), and whether it returned a part later. `keepsOnlyAmount`: of an
 * amount that is too large, Monnify keeps only the requested amount.
 */
const findFirstPaid = (
  listed: Row,
  meaning: Meaning | undefined,
  keepsOnlyAmount: boolean,
): { readonly reached: Kobo | undefined; readonly isReduced: boolean } => {
  const paid = parseAmount(listed.amountPaid);
  const requested = parseAmount(listed.payableAmount) ?? parseAmount(listed.totalPayable) ?? parseAmount(listed.amount);
  if (meaning?.isWrong && !meaning.isReduced) return { reached: keepsOnlyAmount ? requested : paid, isReduced: false };
  // PAID means that the requested amount came. If `amountPaid` is less, a part of it was returned later.
  const isReduced = paid !== undefined && requested !== undefined && paid < requested;
  return { reached: isReduced ? requested : (paid ?? requested), isReduced };
};

/** Finds the origin of a payment; null if the row does not show it. A transfer to a virtual account has Monnify's reference twice. */
const findOrigin = (
  { transactionReference, paymentReference, collectionChannel }: Row,
  reached: Kobo | undefined,
): PaymentOrigin | null => {
  const isToVirtualAccount = collectionChannel === RESERVED_ACCOUNT || paymentReference === transactionReference;
  if (transactionReference && isToVirtualAccount) return { kind: 'transfer', transferId: transactionReference };
  // Only a look-up can tell the owner of a payment with a misspelled reference.
  if (!paymentReference || isMisspelled(paymentReference) || reached === undefined) return null;
  // Any other payment is assumed to be the first part of its cumulative report.
  return { kind: 'part', reference: paymentReference, reached, falls: 0 };
};

/**
 * Reads a row of the list. `no_money`: the status certainly means that Monnify never kept any money. `unreadable`: the row may have money, but no
 * reference by which the payment could be looked up.
 */
export const readRow = (
  listed: unknown,
  { wrongAmountsKeep }: WrongAmountSetting,
): ListedPayment | 'no_money' | 'unreadable' => {
  const { data } = row.safeParse(listed);
  if (!data) return 'unreadable';
  const meaning = findMeaning(data.paymentStatus);
  const keepsOnlyAmount = wrongAmountsKeep === 'what_was_asked';
  const { reached, isReduced } = findFirstPaid(data, meaning, keepsOnlyAmount);
  const origin = findOrigin(data, reached);
  const isToVirtualAccount = origin?.kind === 'transfer';
  if (meaning?.outcome === null || (meaning === PARTLY_PAID && keepsOnlyAmount && !isToVirtualAccount))
    return 'no_money';
  const query = buildQuery(data);
  if (!query) return 'unreadable';
  // Only a look-up is certain if the status is unknown, if the row shows a return, or if it has no origin. Such a row counts as returned.
  const isCertain = meaning?.outcome === 'accepted' && !meaning.isReduced && !isReduced && origin !== null;
  return { query, origin, isReturned: !isCertain };
};
