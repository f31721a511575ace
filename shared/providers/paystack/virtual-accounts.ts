import * as z from 'zod/mini';
import { boolean, text } from '#shared/platform/kernel/schemas.ts';
import { DAY } from '#shared/platform/kernel/time.ts';
import { createProviderError } from '#shared/providers/common/error-texts.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { accountNumber, identifier, name } from '#shared/providers/common/texts.ts';
import { OutcomePending } from '#shared/providers/domain/errors.ts';
import type { Customer, ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import type { PaystackCall } from './client.ts';
import { buildCustomerAddress } from './customer-address.ts';
import type { PaystackSettings } from './description.ts';
import { idText } from './fields.ts';
import { isNotFound, requireData, toProviderError } from './reply.ts';

const paystackCustomer = z.object({ id: idText, customer_code: identifier });
type PaystackCustomer = z.infer<typeof paystackCustomer>;

const dedicatedAccount = z.object({
  id: idText,
  account_number: accountNumber,
  account_name: name,
  bank: z.object({ name }),
});

/** The current customer of an account. A closed account still exists, but is not assigned (providers.md section 1.2). */
const assignment = z.object({
  assigned: z.catch(boolean, true),
  customer: z.catch(
    z.nullish(z.object({ id: z.catch(z.nullable(idText), null), email: z.catch(z.nullable(text), null) })),
    null,
  ),
});

const toReceivingAccount = (account: z.infer<typeof dedicatedAccount>): ReceivingAccount => ({
  accountNumber: account.account_number,
  // An unreadable name must not hide the account, because money may be on its way to it.
  accountName: account.account_name ?? '',
  bankName: account.bank.name ?? '',
  // Paystack returns its own slug and id of the bank, not the central bank's code.
  bankCode: null,
  providerId: account.id,
});

/** Splits a full name into first and last name: the last word is the last name. Undefined for a single word or none. */
export const splitName = (
  fullName: string,
): { readonly first_name: string; readonly last_name: string } | undefined => {
  const words = fullName.trim().split(/\s+/);
  const last = words.pop();
  return last === undefined || words.length === 0 ? undefined : { first_name: words.join(' '), last_name: last };
};

/** Builds the person that Paystack requires (providers.md section 1.2). @throws the ProviderError `customer` if a detail is missing. */
const toPerson = ({ name: fullName, phone }: Customer) => {
  const names = splitName(fullName);
  if (names === undefined || phone === null) throw createProviderError('customer');
  return { ...names, phone };
};

type Person = ReturnType<typeof toPerson>;

/** Finds and creates Paystack's customers by e-mail address. */
const customersAt = (call: PaystackCall) => {
  const find = async (address: string): Promise<PaystackCustomer | undefined> => {
    const reply = await call({ method: 'GET', path: `/customer/${encodeURIComponent(address)}` });
    return !reply.ok && isNotFound(reply) ? undefined : requireData(reply, paystackCustomer);
  };
  const create = async (address: string, person: Person): Promise<PaystackCustomer> => {
    const reply = await call({ method: 'POST', path: '/customer', body: { email: address, ...person } });
    if (reply.ok) return requireData(reply, paystackCustomer);
    // It is not documented whether Paystack rejects a known address or returns its customer, so both are accepted.
    const earlier = await find(address);
    if (earlier === undefined) throw toProviderError(reply);
    return earlier;
  };
  return { find, create };
};

/** Finds, opens and closes Paystack's dedicated accounts, each of one customer. `bank` is the slug of the issuing bank. */
const dedicatedAccountsAt = (call: PaystackCall, bank: string) => {
  const findAssigned = async (customer: PaystackCustomer): Promise<ReceivingAccount | undefined> => {
    const reply = await call({ method: 'GET', path: `/dedicated_account?customer=${encodeURIComponent(customer.id)}` });
    if (!reply.ok && isNotFound(reply)) return undefined;
    const assigned = requireData(reply, z.array(z.unknown())).find((listed) => {
      // Checked again: another customer's account must never be returned, even if Paystack ignores the filter.
      const { success, data } = assignment.safeParse(listed);
      return success && data.assigned && data.customer?.id === customer.id;
    });
    return assigned === undefined ? undefined : toReceivingAccount(parseAnswer(dedicatedAccount, assigned));
  };
  const open = async (customer: PaystackCustomer, person: Person): Promise<ReceivingAccount> => {
    const reply = await call({
      method: 'POST',
      path: '/dedicated_account',
      body: { customer: customer.customer_code, preferred_bank: bank, ...person },
    });
    // "Already": an earlier call opened the account, and the list that was read just before did not show it yet.
    const earlier = !reply.ok && /\balready\b/i.test(reply.message) ? await findAssigned(customer) : undefined;
    return earlier ?? toReceivingAccount(requireData(reply, dedicatedAccount));
  };
  /** Whether an account is still assigned to our customer. A closed account may be assigned to another customer. */
  const isOpen = async (id: string, address: string): Promise<boolean> => {
    const reply = await call({ method: 'GET', path: `/dedicated_account/${encodeURIComponent(id)}` });
    if (!reply.ok && isNotFound(reply)) return false;
    const { assigned, customer } = requireData(reply, assignment);
    const email = customer?.email;
    return assigned && (email === undefined || email === null || email.toLowerCase() === address);
  };
  const close = async (id: string): Promise<void> => {
    const reply = await call({ method: 'DELETE', path: `/dedicated_account/${encodeURIComponent(id)}` });
    // Another call may have closed it meanwhile.
    if (!reply.ok && !isNotFound(reply)) throw toProviderError(reply);
  };
  return { findAssigned, open, isOpen, close };
};

/** Milliseconds that Paystack may take to validate a customer. It documents no time; a day is our estimate. */
const VALIDATED_WITHIN = DAY;

/** Builds the identity by which Paystack validates a customer. @throws the ProviderError `customer` if it is missing. */
const toIdentity = ({ bvn, bankAccount }: Customer) => {
  if (bvn === null || !bankAccount) throw createProviderError('customer');
  return { bvn, account_number: bankAccount.accountNumber, bank_code: bankAccount.bankCode };
};

/**
 * Creates, finds and closes virtual accounts (providers.md section 1.2). Each has its own customer at Paystack, under an address that we build
 * from our reference. So a repeated call finds the customer by the address, and the account by the customer. Every function throws
 * ProviderError, OutcomeUnknown and ProviderUnavailable.
 */
export const virtualAccounts = (
  call: PaystackCall,
  settings: Pick<PaystackSettings, 'bank' | 'customerEmailDomain' | 'validatesCustomers'>,
): Pick<AccountIssuer, 'opensWithin' | 'createAccount' | 'findAccount' | 'closeAccount'> => {
  const customers = customersAt(call);
  const accounts = dedicatedAccountsAt(call, settings.bank);
  const addressFor = (reference: string): string => buildCustomerAddress(reference, settings.customerEmailDomain);
  const find = async (reference: string): Promise<ReceivingAccount | undefined> => {
    const customer = await customers.find(addressFor(reference));
    return customer && accounts.findAssigned(customer);
  };

  /**
   * Requests the account of a customer who must be validated first. A single call creates the customer, starts the validation and later opens the
   * account. So if the customer exists, this call was made before. It is not repeated, even if its answer was lost, because it might open a second
   * account that nobody knows. A look-up finds the account when it is open.
   */
  const requestWithValidation = async (customer: Customer, reference: string): Promise<ReceivingAccount> => {
    const email = addressFor(reference);
    const details = {
      email,
      ...toPerson(customer),
      ...toIdentity(customer),
      preferred_bank: settings.bank,
      country: 'NG',
    };
    const existing = await customers.find(email);
    const earlier = existing && (await accounts.findAssigned(existing));
    if (earlier) return earlier;
    if (!existing) {
      const reply = await call({ method: 'POST', path: '/dedicated_account/assign', body: details });
      if (!reply.ok) throw toProviderError(reply);
    }
    throw new OutcomePending('Paystack validates the customer before it opens the account.');
  };

  return {
    ...(settings.validatesCustomers && { opensWithin: VALIDATED_WITHIN }),
    createAccount: async (customer, reference) => {
      if (settings.validatesCustomers) return requestWithValidation(customer, reference);
      const person = toPerson(customer);
      const created = await customers.create(addressFor(reference), person);
      return (await accounts.findAssigned(created)) ?? accounts.open(created, person);
    },
    findAccount: (_, reference) => find(reference),
    closeAccount: async (account, reference) => {
      const id = account.providerId ?? (await find(reference))?.providerId;
      if (id && (await accounts.isOpen(id, addressFor(reference)))) await accounts.close(id);
    },
  };
};
