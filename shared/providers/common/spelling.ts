import type { PaymentQuery } from '#shared/providers/domain/report.ts';
import { ourReference } from './texts.ts';

/** A payment as a provider answered, and the reference that it was opened under: undefined where the answer has none. */
export interface Found<T> {
  readonly found: T;
  readonly reference: string | undefined;
}

/** How a provider is asked about a payment, and what its answer says of it. */
export interface Finding<T> {
  readonly find: (query: PaymentQuery) => Promise<T | 'unknown'>;
  /** The provider's own id of the payment. */
  readonly idOf: (found: T) => string | undefined;
  /** The merchant's reference as the answer has it; undefined where it has none. */
  readonly referenceOf: (found: T) => string | undefined;
}

/**
 * Asks about a payment, and says under which reference it was opened: ours in our spelling, any other as it was written. A provider may
 * repeat ours in another spelling; but where it tells spellings apart, anybody may open a payment of their own under another one. So our own
 * spelling is asked about: ours is the payment that it finds.
 */
export const findInAnySpelling = async <T extends object>(
  { find, idOf, referenceOf }: Finding<T>,
  query: PaymentQuery,
): Promise<Found<T> | 'unknown'> => {
  const asked = query.by === 'our_reference' ? ourReference(query.value) : undefined;
  const first = await find(query);
  if (first === 'unknown') {
    if (asked === undefined || asked === query.value) return 'unknown';
    const own = await find({ ...query, value: asked });
    return own === 'unknown' ? 'unknown' : { found: own as T, reference: asked };
  }
  const written = referenceOf(first);
  const ours = ourReference(written ?? '');
  if (ours === undefined || ours === written || query.value === ours)
    return { found: first, reference: ours ?? written };
  const own = await find({ by: 'our_reference', value: ours });
  const isOurs = own !== 'unknown' && idOf(first) !== undefined && idOf(own) === idOf(first);
  return { found: first, reference: isOurs ? ours : written };
};
