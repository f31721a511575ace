import * as z from 'zod/mini';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { boolean, nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import type { Customer, ReceivingAccount } from '#shared/domain/providers/provider.ts';
import type { AccountIssuer } from '#shared/ports/providers.ts';
import type { PaystackApi } from './api.ts';
import { addressOf } from './customer-address.ts';
import { idText } from './fields.ts';
import { dataOf, errorOf, isNotFound, readAs } from './reply.ts';

const knownCustomer = z.object({ id: idText, customer_code: nonEmptyString });
type KnownCustomer = z.infer<typeof knownCustomer>;

const dedicatedAccount = z.object({
  id: idText,
  account_number: nonEmptyString,
  account_name: text,
  bank: z.object({ name: text }),
});

/** Whose an account is at the moment. One that was closed still exists, unassigned (providers.md section 1.2). */
const holder = z.object({
  assigned: z.catch(boolean, true),
  customer: z.catch(
    z.nullish(z.object({ id: z.catch(z.nullable(idText), null), email: z.catch(z.nullable(text), null) })),
    null,
  ),
});

const receivingAccountOf = (account: z.infer<typeof dedicatedAccount>): ReceivingAccount => ({
  accountNumber: account.account_number,
  accountName: account.account_name,
  bankName: account.bank.name,
  // Paystack tells a slug and an id of its own, no code of the central bank.
  bankCode: null,
  providerId: account.id,
});

/** First and last name of a whole one: the last word is the last name. Undefined for a single word. */
export const splitName = (name: string): { readonly first_name: string; readonly last_name: string } | undefined => {
  const words = name.trim().split(/\s+/);
  const last = words.pop();
  return last === undefined || words.length === 0 ? undefined : { first_name: words.join(' '), last_name: last };
};

/** What Paystack must know of a customer before it opens an account (providers.md section 1.2). Throws the refusal `invalid_input`. */
const personOf = ({ name, phone }: Customer) => {
  const names = splitName(name);
  if (names === undefined || phone === null) throw refused('invalid_input');
  return { ...names, phone };
};

/**
 * Virtual accounts: each belongs to a customer of its own at Paystack, so that a repeated call finds the customer by the
 * address that was derived from our reference, and the account by the customer (providers.md section 1.2).
 */
export const virtualAccounts = (
  api: PaystackApi,
  settings: { readonly bank: string; readonly customerEmailDomain: string },
): Pick<AccountIssuer, 'createAccount' | 'findAccount' | 'closeAccount'> => {
  const addressFor = (reference: string): string => addressOf(reference, settings.customerEmailDomain);

  const findCustomer = async (address: string): Promise<KnownCustomer | undefined> => {
    const reply = await api({ method: 'GET', path: `/customer/${encodeURIComponent(address)}` });
    return !reply.ok && isNotFound(reply) ? undefined : dataOf(reply, knownCustomer);
  };

  const openCustomer = async (address: string, person: ReturnType<typeof personOf>): Promise<KnownCustomer> => {
    const reply = await api({ method: 'POST', path: '/customer', body: { email: address, ...person } });
    if (reply.ok) return dataOf(reply, knownCustomer);
    // Nothing published says whether a known address gives its customer or a refusal, so that both are right.
    const known = await findCustomer(address);
    if (known === undefined) throw errorOf(reply);
    return known;
  };

  const accountOf = async (customer: KnownCustomer): Promise<ReceivingAccount | undefined> => {
    const reply = await api({ method: 'GET', path: `/dedicated_account?customer=${encodeURIComponent(customer.id)}` });
    if (!reply.ok && isNotFound(reply)) return undefined;
    const theirs = dataOf(reply, z.array(z.unknown())).find((listed) => {
      // Another customer's account must never pass, even if the filter was not heeded.
      const { success, data } = holder.safeParse(listed);
      return success && data.assigned && data.customer?.id === customer.id;
    });
    return theirs === undefined ? undefined : receivingAccountOf(readAs(dedicatedAccount, theirs));
  };

  const openAccount = async (
    customer: KnownCustomer,
    person: ReturnType<typeof personOf>,
  ): Promise<ReceivingAccount> => {
    const reply = await api({
      method: 'POST',
      path: '/dedicated_account',
      body: { customer: customer.customer_code, preferred_bank: settings.bank, ...person },
    });
    // A list that lagged behind may have hidden the account that an earlier call opened.
    const earlier = !reply.ok && /\balready\b/i.test(reply.message) ? await accountOf(customer) : undefined;
    return earlier ?? receivingAccountOf(dataOf(reply, dedicatedAccount));
  };

  const findAccount = async (reference: string): Promise<ReceivingAccount | undefined> => {
    const customer = await findCustomer(addressFor(reference));
    return customer && accountOf(customer);
  };

  /** Whether an account is still assigned to our customer. Its id may go to someone else's account once it is closed. */
  const isOpen = async (id: string, address: string): Promise<boolean> => {
    const reply = await api({ method: 'GET', path: `/dedicated_account/${encodeURIComponent(id)}` });
    if (!reply.ok && isNotFound(reply)) return false;
    const { assigned, customer } = dataOf(reply, holder);
    const email = customer?.email;
    return assigned && (email === undefined || email === null || email.toLowerCase() === address);
  };

  return {
    createAccount: async (customer, reference) => {
      const person = personOf(customer);
      const known = await openCustomer(addressFor(reference), person);
      return (await accountOf(known)) ?? openAccount(known, person);
    },
    findAccount: (_, reference) => findAccount(reference),
    closeAccount: async (account, reference) => {
      const id = account.providerId ?? (await findAccount(reference))?.providerId;
      if (!id || !(await isOpen(id, addressFor(reference)))) return;
      const reply = await api({ method: 'DELETE', path: `/dedicated_account/${encodeURIComponent(id)}` });
      // Another call may have closed it in between.
      if (!reply.ok && !isNotFound(reply)) throw errorOf(reply);
    },
  };
};
