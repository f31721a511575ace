import { ourReference } from '#shared/providers/common/texts.ts';

/**
 * The e-mail address that we give Paystack for the customer of one account or checkout, made from our reference. Paystack keys customers by
 * address, so with their real ones two businesses could share a customer. In lower case, because addresses are compared without case.
 */
export const buildCustomerAddress = (reference: string, domain: string): string =>
  `${reference}@${domain}`.toLowerCase();

/** The reference that `addressOf` made an address from, in its own case; undefined when the address is not ours. */
export const parseCustomerAddress = (address: string, domain: string): string | undefined => {
  const [local = '', host, ...more] = address.trim().toLowerCase().split('@');
  return more.length > 0 || host !== domain.toLowerCase() ? undefined : ourReference(local);
};
