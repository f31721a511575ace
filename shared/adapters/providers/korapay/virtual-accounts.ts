import * as z from 'zod/mini';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import type { Customer, ReceivingAccount } from '#shared/domain/providers/provider.ts';
import { type AskKorapay, readAs } from './call.ts';
import { isNotFound, reasonOf } from './refusal.ts';

/** A text that may be absent or null. */
export const textIfAny = z.nullish(text);

/** An account number with its bank, as Korapay writes it everywhere. */
export const korapayAccount = z.object({
  account_number: nonEmptyString,
  account_name: textIfAny,
  bank_name: textIfAny,
  bank_code: textIfAny,
  unique_id: textIfAny,
});

/** The same in our words. */
export const receivingAccountOf = (account: z.infer<typeof korapayAccount>): ReceivingAccount => ({
  accountNumber: account.account_number,
  accountName: account.account_name ?? '',
  bankName: account.bank_name ?? '',
  bankCode: account.bank_code ?? null,
  providerId: account.unique_id ?? null,
});

const applicationOf = (customer: Customer, reference: string, bank: string): unknown => ({
  account_name: customer.name,
  account_reference: reference,
  permanent: true,
  bank_code: bank,
  customer: { name: customer.name, ...(customer.email !== null && { email: customer.email }) },
  kyc: { ...(customer.bvn !== null && { bvn: customer.bvn }), ...(customer.nin !== null && { nin: customer.nin }) },
});

/** Virtual accounts at Korapay (providers.md section 3.2), each under our reference. `bank` is the code of the bank that issues them. */
export const virtualAccounts = (ask: AskKorapay, bank: string) => {
  const find = async (reference: string): Promise<ReceivingAccount | undefined> => {
    const answer = await ask({ method: 'GET', path: `/virtual-bank-account/${encodeURIComponent(reference)}` });
    if (answer.done) return receivingAccountOf(readAs(korapayAccount, answer.data));
    if (isNotFound(answer)) return undefined;
    throw refused(reasonOf(answer));
  };

  const create = async (customer: Customer, reference: string): Promise<ReceivingAccount> => {
    const body = applicationOf(customer, reference, bank);
    const answer = await ask({ method: 'POST', path: '/virtual-bank-account', body });
    if (answer.done) return receivingAccountOf(readAs(korapayAccount, answer.data));
    // How Korapay words a repeated reference is not documented: whatever the no, an earlier call of ours may have opened it.
    const earlier = await find(reference);
    if (earlier === undefined) throw refused(reasonOf(answer));
    return earlier;
  };

  return { create, find };
};
