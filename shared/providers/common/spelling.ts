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
 * Looks up a payment and the reference that it was opened under. A reference of ours is returned in our spelling, any other reference as the
 * provider wrote it.
 * A provider may know our reference in another spelling (letter case, or spaces around it). If the queried spelling finds nothing, our spelling
 * is queried. If the provider treats the two spellings as two references, a stranger may have opened a payment under the other one. So if neither
 * the query nor the answer has our spelling, the payment is looked up in our spelling, too: it is ours only if both look-ups find the same
 * payment.
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
