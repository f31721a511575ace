import { toOurReference } from '#shared/providers/common/texts.ts';

/**
 * Builds the e-mail address that we give Paystack for the customer of an account or checkout, from our reference. Paystack identifies customers
 * by address, so that with real addresses two businesses could share a customer. The address is in lower case, because e-mail addresses are
 * compared without regard to letter case.
 */
export const buildCustomerAddress = (reference: string, domain: string): string =>
  `${reference}@${domain}`.toLowerCase();

/** Restores our reference, in our spelling, from an address of `buildCustomerAddress`; undefined if the address is not ours. */
export const parseCustomerAddress = (address: string, domain: string): string | undefined => {
  const [local = '', host, ...more] = address.trim().toLowerCase().split('@');
  return more.length > 0 || host !== domain.toLowerCase() ? undefined : toOurReference(local);
};
