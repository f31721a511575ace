import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import { toOurReference } from './texts.ts';

/** A payment from a provider's answer, and the reference that it was opened under; undefined if the answer has none. */
export interface FoundPayment<T> {
  readonly payment: T;
  readonly reference: string | undefined;
}

/** Looks a payment up at a provider, and reads the ids in its answer. */
export interface PaymentFinder<T> {
  readonly find: (query: PaymentQuery) => Promise<T | 'unknown'>;
  /** Reads the provider's own id of the payment. */
  readonly readId: (payment: T) => string | undefined;
  /** Reads the merchant's reference as the answer writes it; undefined if it has none. */
  readonly readReference: (payment: T) => string | undefined;
}

/**
 * Looks up a payment and the reference that it was opened under. Providers may change the spelling of our references (letter case, or spaces around
 * them), so a query or an answer may have another spelling than ours:
 * - If a query in another spelling finds nothing, it is repeated in our spelling.
 * - If the answer has another spelling, and the query did not have ours, the payment may be a stranger's: for the provider the two spellings may be
 *   two references. So our spelling is looked up, too. The payment is ours only if both look-ups find the same payment.
 * The result has a reference of ours in our spelling. Any other reference, also a stranger's in such a spelling, is as the provider wrote it.
 */
export const findInAnySpelling = async <T extends object>(
  { find, readId, readReference }: PaymentFinder<T>,
  query: PaymentQuery,
): Promise<FoundPayment<T> | 'unknown'> => {
  const queriedReference = query.by === 'our_reference' ? toOurReference(query.value) : undefined;
  const first = await find(query);
  if (first === 'unknown') {
    if (queriedReference === undefined || queriedReference === query.value) return 'unknown';
    const payment = await find({ ...query, value: queriedReference });
    return payment === 'unknown' ? 'unknown' : { payment: payment as T, reference: queriedReference };
  }
  const writtenReference = readReference(first);
  const ourReference = toOurReference(writtenReference ?? '');
  if (ourReference === undefined || ourReference === writtenReference || query.value === ourReference)
    return { payment: first, reference: ourReference ?? writtenReference };
  const second = await find({ by: 'our_reference', value: ourReference });
  const isOurs = second !== 'unknown' && readId(first) !== undefined && readId(second) === readId(first);
  return { payment: first, reference: isOurs ? ourReference : writtenReference };
};
