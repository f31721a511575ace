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
 * Looks up a payment and the reference that it was opened under. One of our references is returned in our spelling, any other as written.
 * A provider may repeat our reference in another spelling. A provider that distinguishes spellings lets anybody open a payment of their own
 * under another spelling of it. So this asks again in our spelling: the payment is ours only if that look-up finds it, too.
 */
export const findInAnySpelling = async <T extends object>(
  { find, readId, readReference }: PaymentFinder<T>,
  query: PaymentQuery,
): Promise<FoundPayment<T> | 'unknown'> => {
  const ownReference = query.by === 'our_reference' ? toOurReference(query.value) : undefined;
  const first = await find(query);
  if (first === 'unknown') {
    if (ownReference === undefined || ownReference === query.value) return 'unknown';
    const own = await find({ ...query, value: ownReference });
    return own === 'unknown' ? 'unknown' : { payment: own as T, reference: ownReference };
  }
  const written = readReference(first);
  const ours = toOurReference(written ?? '');
  if (ours === undefined || ours === written || query.value === ours)
    return { payment: first, reference: ours ?? written };
  const own = await find({ by: 'our_reference', value: ours });
  const isOurs = own !== 'unknown' && readId(first) !== undefined && readId(own) === readId(first);
  return { payment: first, reference: isOurs ? ours : written };
};
