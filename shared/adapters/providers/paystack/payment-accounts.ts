import * as z from 'zod/mini';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { attemptReferences } from '#shared/domain/checkouts/attempt-reference.ts';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { AccountIssuer, IssuedPaymentAccount } from '#shared/ports/providers.ts';
import type { PaystackApi } from './api.ts';
import { addressOf } from './customer-address.ts';
import { timeOrNull } from './fields.ts';
import { dataOf, isDuplicateReference, type Reply } from './reply.ts';

type Wanted = Parameters<AccountIssuer['createPaymentAccount']>[0];

const charge = z.object({
  status: z.catch(z.nullable(text), null),
  account_number: z.catch(z.nullable(nonEmptyString), null),
  account_name: z.catch(z.nullable(text), null),
  bank: z.catch(z.nullable(z.object({ name: text })), null),
  account_expires_at: timeOrNull,
});
type Charge = z.infer<typeof charge>;

/** States in which a charge has reached its end, whatever account it names. */
const ENDED = new Set(['success', 'failed', 'reversed', 'abandoned']);

/** The account that a charge tells, or undefined when it lacks a part of it. */
const issuedBy = (of: Charge, wanted: Wanted, providerReference: string): IssuedPaymentAccount | undefined => {
  const { status, account_number, account_name, bank, account_expires_at } = of;
  if (account_number === null || account_name === null || bank === null || account_expires_at === null)
    return undefined;
  if (status !== null && ENDED.has(status)) return undefined;
  return {
    account: {
      accountNumber: account_number,
      accountName: account_name,
      bankName: bank.name,
      bankCode: null,
      providerId: null,
    },
    providerReference,
    // Paystack takes its fee from what arrives: the merchant bears it (providers.md section 0).
    amountToPay: wanted.amount,
    // Paystack keeps it between 15 minutes and 8 hours from now (providers.md section 1.3).
    expiresAt: account_expires_at,
  };
};

/** Payment accounts ("pay with transfer", providers.md section 1.3). */
export const paymentAccounts = (
  api: PaystackApi,
  { customerEmailDomain }: { readonly customerEmailDomain: string },
  now: () => Millis,
): Pick<AccountIssuer, 'createPaymentAccount'> => {
  const attempt = (wanted: Wanted, reference: string): Promise<Reply> =>
    api({
      method: 'POST',
      path: '/charge',
      body: {
        // Ours and not the payer's: a rejected transfer is told by this address alone (providers.md section 1.5).
        email: addressOf(wanted.reference, customerEmailDomain),
        amount: wanted.amount,
        currency: 'NGN',
        reference,
        bank_transfer: { account_expires_at: new Date(wanted.expiresAt).toISOString() },
      },
    });

  const opened = (reply: Reply, wanted: Wanted, reference: string): IssuedPaymentAccount => {
    const answered = dataOf(reply, charge);
    const issued = issuedBy(answered, wanted, reference);
    if (issued) return issued;
    // A charge that failed is a success to HTTP.
    if (answered.status === 'failed') throw refused('other');
    throw new OutcomeUnknown('Paystack took the charge and told no account.');
  };

  /** The account of a charge that an earlier call made, when Paystack tells it and it can still be paid into. */
  const recalled = async (wanted: Wanted, reference: string): Promise<IssuedPaymentAccount | undefined> => {
    const reply = await api({ method: 'GET', path: `/charge/${encodeURIComponent(reference)}` });
    const told = reply.ok ? charge.safeParse(reply.data) : undefined;
    const issued = told?.success ? issuedBy(told.data, wanted, reference) : undefined;
    return issued && issued.expiresAt > now() ? issued : undefined;
  };

  return {
    createPaymentAccount: async (wanted) => {
      for (const reference of attemptReferences(wanted.reference)) {
        const reply = await attempt(wanted, reference);
        if (reply.ok || !isDuplicateReference(reply)) return opened(reply, wanted, reference);
        const earlier = await recalled(wanted, reference);
        if (earlier) return earlier;
      }
      throw refused('other');
    },
  };
};
