import type { ReferenceOrder } from './preference.ts';

/** The two references of a charge: the merchant's and Korapay's. For a transfer to a static account they are the same. */
interface References {
  readonly reference: string;
  readonly paymentReference: string;
}

/** A charge's references as a look-up or a notification has them. */
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

/** The same in a list, which has one reference alone where sources show one. */
export const listReferencesView = (references: References, order: ReferenceOrder) => {
  const { reference, payment_reference } = referencesView(references, order);
  return order === 'merchants' || order === 'korapays' ? { reference } : { reference, payment_reference };
};
