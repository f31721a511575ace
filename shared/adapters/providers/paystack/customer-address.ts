import { checkoutReference, idSchema } from '#shared/domain/kernel/ids.ts';

/**
 * The e-mail address under which Paystack knows the customer of one account: it keys customers by address, and two businesses
 * must never share one. In lower case, as addresses are compared without regard to case.
 */
export const addressOf = (reference: string, domain: string): string => `${reference}@${domain}`.toLowerCase();

const virtualAccountId = idSchema('va');

/** The reference that an address was made from, or undefined for an address that is not ours. Undoes the lower case. */
export const referenceOfAddress = (address: string, domain: string): string | undefined => {
  const [local = '', host, ...more] = address.trim().toLowerCase().split('@');
  if (more.length > 0 || host !== domain.toLowerCase()) return undefined;
  const asReference = local.toUpperCase();
  if (checkoutReference.safeParse(asReference).success) return asReference;
  const asId = local.replace(/^va_.*/, (id) => `va_${id.slice(3).toUpperCase()}`);
  return virtualAccountId.safeParse(asId).success ? asId : undefined;
};
