import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { createProviderError } from '#shared/providers/common/error-texts.ts';
import { accountNumber, name } from '#shared/providers/common/texts.ts';
import { listAttemptReferences } from '#shared/providers/domain/attempt-reference.ts';
import { NoReferenceLeft, OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { AccountIssuer, IssuedPaymentAccount, PaymentAccountRequest } from '#shared/providers/ports.ts';
import type { PaystackCall } from './client.ts';
import { buildCustomerAddress } from './customer-address.ts';
import { timeOrNull } from './fields.ts';
import { isDuplicateReference, type Reply, requireData } from './reply.ts';

const charge = z.object({
  status: z.catch(z.nullable(text), null),
  account_number: z.catch(z.nullable(accountNumber), null),
  account_name: name,
  bank: z.catch(z.nullable(z.object({ name })), null),
  account_expires_at: timeOrNull,
});
type Charge = z.infer<typeof charge>;

/** Statuses in which a charge can no longer be paid, even if it still names an account. */
const ENDED = new Set(['success', 'failed', 'reversed', 'abandoned']);

/** Reads the account of a charge; undefined if the charge has ended or names no complete account. */
const toIssuedAccount = (
  { status, account_number, account_name, bank, account_expires_at }: Charge,
  accountRequest: PaymentAccountRequest,
  providerReference: string,
): IssuedPaymentAccount | undefined => {
  if (account_number === null || account_name === null || account_expires_at === null) return undefined;
  if (!bank?.name || (status !== null && ENDED.has(status))) return undefined;
  return {
    account: {
      accountNumber: account_number,
      accountName: account_name,
      bankName: bank.name,
      bankCode: null,
      providerId: null,
    },
    providerReference,
    // The merchant bears Paystack's fee, which is deducted from the received amount (providers.md section 0).
    amountToPay: accountRequest.amount,
    // Paystack changes the expiry to between 15 minutes and 8 hours from now (providers.md section 1.3).
    expiresAt: account_expires_at,
  };
};

/**
 * Opens payment accounts ("pay with transfer", providers.md section 1.3). After a lost answer it returns the account of the earlier call if a
 * payer can still pay into it; otherwise it uses the attempt's next reference.
 * `createPaymentAccount` throws NoReferenceLeft, other ProviderErrors, OutcomeUnknown and ProviderUnavailable.
 */
export const paymentAccounts = (
  call: PaystackCall,
  { customerEmailDomain }: { readonly customerEmailDomain: string },
  now: () => Millis,
): Pick<AccountIssuer, 'createPaymentAccount'> => {
  const createCharge = (accountRequest: PaymentAccountRequest, reference: string): Promise<Reply> =>
    call({
      method: 'POST',
      path: '/charge',
      until: accountRequest.until,
      body: {
        // Our own address and not the payer's: the event about a rejected transfer has no reference, and only this address tells us the checkout
        // (providers.md section 1.5).
        email: buildCustomerAddress(accountRequest.reference, customerEmailDomain),
        amount: accountRequest.amount,
        currency: 'NGN',
        reference,
        bank_transfer: { account_expires_at: new Date(accountRequest.expiresAt).toISOString() },
      },
    });

  const readAccount = (
    reply: Reply,
    accountRequest: PaymentAccountRequest,
    reference: string,
  ): IssuedPaymentAccount => {
    const created = requireData(reply, charge);
    const issued = toIssuedAccount(created, accountRequest, reference);
    if (issued) return issued;
    // A failed charge comes with HTTP 200.
    if (created.status === 'failed') throw createProviderError('other');
    throw new OutcomeUnknown('Paystack accepted the charge but returned no account.');
  };

  /** Finds the account of an earlier call; undefined if Paystack does not return it, or if it is no longer payable. */
  const findEarlierAccount = async (
    accountRequest: PaymentAccountRequest,
    reference: string,
  ): Promise<IssuedPaymentAccount | undefined> => {
    const path = `/charge/${encodeURIComponent(reference)}`;
    const reply = await call({ method: 'GET', path, until: accountRequest.until });
    const earlier = reply.ok ? charge.safeParse(reply.data) : undefined;
    const issued = earlier?.success ? toIssuedAccount(earlier.data, accountRequest, reference) : undefined;
    return issued && issued.expiresAt > now() ? issued : undefined;
  };

  return {
    createPaymentAccount: async (accountRequest) => {
      for (const reference of listAttemptReferences(accountRequest.reference)) {
        const reply = await createCharge(accountRequest, reference);
        if (reply.ok || !isDuplicateReference(reply)) return readAccount(reply, accountRequest, reference);
        const earlier = await findEarlierAccount(accountRequest, reference);
        if (earlier) return earlier;
      }
      throw new NoReferenceLeft();
    },
  };
};
