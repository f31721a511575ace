import type { ReferenceOrder } from './preference.ts';

/** The two references of a charge: the merchant's and Korapay's. They are equal for a transfer to a static account. */
interface References {
  readonly reference: string;
  readonly paymentReference: string;
}

/** Orders a charge's references for a look-up or a notification. */
export const referencesView = (
  { reference: merchants, paymentReference: korapays }: References,
  order: ReferenceOrder,
) => {
  const isKorapaysFirst = order === 'korapays' || order === 'korapays_first';
  const isKorapaysSecond = order === 'korapays' || order === 'merchants_first';
  return {
    reference: isKorapaysFirst ? korapays : merchants,
    payment_reference: isKorapaysSecond ? korapays : merchants,
  };
};

/** Orders a charge's references for a list, which has a single reference in some sources. */
export const listReferencesView = (references: References, order: ReferenceOrder) => {
  const { reference, payment_reference } = referencesView(references, order);
  return order === 'merchants' || order === 'korapays' ? { reference } : { reference, payment_reference };
};
