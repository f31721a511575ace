import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { type ErasedPayer, makeEraser } from '#shared/erasure/domain/personal-fields.ts';
import { payment } from '#shared/payments/domain/payment.ts';
import { virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';

/* Erases the bodies of events and stored answers, which show checkouts, virtual accounts and payments. */

const { shows, erase } = makeEraser(checkout, virtualAccount, payment);

const parseBody = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Whether the body of an event or an answer shows the payer. */
export const showsPayer = (payer: ErasedPayer, body: string): boolean => shows(payer, parseBody(body));

/**
 * Erases the personal fields in the body of an event or an answer, whoever they belong to. So the body must show no other person than the
 * payer. Free texts and metadata are erased only where something of the payer is found.
 */
export const eraseInBody = (payer: ErasedPayer, body: string): string => JSON.stringify(erase(payer, parseBody(body)));
