import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import { ourReference } from './texts.ts';

/** A payment as a provider answered, and the reference that it was opened under: undefined where the answer has none. */
export interface FoundPayment<T> {
  readonly payment: T;
  readonly reference: string | undefined;
}

/** How a provider is asked about a payment, and what its answer says of it. */
export interface PaymentFinder<T> {
  readonly find: (query: PaymentQuery) => Promise<T | 'unknown'>;
  /** The provider's own id of the payment. */
  readonly readId: (payment: T) => string | undefined;
  /** The merchant's reference as the answer has it; undefined where it has none. */
  readonly readReference: (payment: T) => string | undefined;
}

/**
 * Asks about a payment, and says under which reference it was opened: ours in our spelling, any other as it was written. A provider may
 * repeat ours in another spelling; but where it tells spellings apart, anybody may open a payment of their own under another one. So our own
 * spelling is asked about: ours is the payment that it finds.
 */
export const findInAnySpelling = async <T extends object>(
  { find, readId, readReference }: PaymentFinder<T>,
  query: PaymentQuery,
): Promise<FoundPayment<T> | 'unknown'> => {
  const ownReference = query.by === 'our_reference' ? ourReference(query.value) : undefined;
  const first = await find(query);
  if (first === 'unknown') {
    if (ownReference === undefined || ownReference === query.value) return 'unknown';
    const own = await find({ ...query, value: ownReference });
    return own === 'unknown' ? 'unknown' : { payment: own as T, reference: ownReference };
  }
  const written = readReference(first);
  const ours = ourReference(written ?? '');
  if (ours === undefined || ours === written || query.value === ours)
    return { payment: first, reference: ours ?? written };
  const own = await find({ by: 'our_reference', value: ours });
  const isOurs = own !== 'unknown' && readId(first) !== undefined && readId(own) === readId(first);
  return { payment: first, reference: isOurs ? ours : written };
};
