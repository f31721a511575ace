import type * as z from 'zod/mini';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import type { Customer, ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { KorapayCall } from './client.ts';
import { isNotFound, toProviderError } from './error-reply.ts';
import { korapayAccount } from './fields.ts';

/** Converts Korapay's account to ours. */
export const toReceivingAccount = (account: z.infer<typeof korapayAccount>): ReceivingAccount => ({
  accountNumber: account.account_number,
  accountName: account.account_name ?? '',
  bankName: account.bank_name ?? '',
  bankCode: account.bank_code,
  providerId: account.unique_id,
});

const buildCreationBody = (customer: Customer, reference: string, bank: string): unknown => ({
  account_name: customer.name,
  account_reference: reference,
  permanent: true,
  bank_code: bank,
  customer: { name: customer.name, ...(customer.email !== null && { email: customer.email }) },
  kyc: { ...(customer.bvn !== null && { bvn: customer.bvn }), ...(customer.nin !== null && { nin: customer.nin }) },
});

/**
 * Creates and finds virtual accounts at Korapay under our references (providers.md section 3.2). `bank` is the code of the issuing bank. Both
 * functions throw ProviderError, OutcomeUnknown and ProviderUnavailable.
 */
export const virtualAccounts = (call: KorapayCall, bank: string) => {
  const find = async (reference: string): Promise<ReceivingAccount | undefined> => {
    const answer = await call({ method: 'GET', path: `/virtual-bank-account/${encodeURIComponent(reference)}` });
    if (answer.ok) return toReceivingAccount(parseAnswer(korapayAccount, answer.data));
    if (isNotFound(answer)) return undefined;
    throw toProviderError(answer);
  };

  const create = async (customer: Customer, reference: string): Promise<ReceivingAccount> => {
    const body = buildCreationBody(customer, reference, bank);
    const answer = await call({ method: 'POST', path: '/virtual-bank-account', body });
    if (answer.ok) return toReceivingAccount(parseAnswer(korapayAccount, answer.data));
    // The error text for a repeated reference is not documented, so any error makes us look for the account of an earlier call.
    const earlier = await find(reference);
    if (earlier === undefined) throw toProviderError(answer);
    return earlier;
  };

  return { create, find };
};
