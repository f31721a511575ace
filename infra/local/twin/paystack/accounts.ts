import * as z from 'zod';
import type { Account, Ledger } from '#infra/local/twin/ledger.ts';
import type { Answer, Call, Route } from '#infra/local/twin/wire.ts';
import {
  customerView,
  dedicatedView,
  invalidParams,
  type PaystackCustomer,
  type PaystackDedicatedAccount,
  paystackError,
  paystackPage,
  paystackSuccess,
} from './shapes.ts';

/** The banks that issue accounts, by slug. */
export const PAYSTACK_BANKS = { 'titan-paystack': 'Titan Paystack', 'wema-bank': 'Wema Bank' } as const;

const newCustomer = z.object({
  email: z.email(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  phone: z.string().nullish(),
});

const newDedicated = z.object({
  customer: z.union([z.string(), z.number()]).transform(String),
  preferred_bank: z.enum(['titan-paystack', 'wema-bank']).default('titan-paystack'),
});

/** Customers, one for each e-mail address. */
const newCustomers = (nextId: () => number) => {
  const customers: PaystackCustomer[] = [];
  const find = (key: string): PaystackCustomer | undefined =>
    customers.find((one) => one.code === key || String(one.id) === key || one.email === key.toLowerCase());
  return {
    /** By code, id or e-mail address. */
    find,
    /** The customer with this address, made if there is none. */
    ensure: (given: z.infer<typeof newCustomer>): PaystackCustomer => {
      const known = find(given.email);
      if (known) return known;
      const id = nextId();
      const customer = {
        id,
        code: `CUS_${id.toString(36)}`,
        email: given.email.toLowerCase(),
        firstName: given.first_name ?? null,
        lastName: given.last_name ?? null,
        phone: given.phone ?? null,
      };
      customers.push(customer);
      return customer;
    },
  };
};
type Customers = ReturnType<typeof newCustomers>;

const customerRoutes = (customers: Customers, dedicated: readonly PaystackDedicatedAccount[]): readonly Route[] => {
  const createCustomer = ({ body }: Call): Answer => {
    const given = newCustomer.safeParse(body);
    if (!given.success) return invalidParams();
    return paystackSuccess('Customer created', customerView(customers.ensure(given.data)));
  };
  const fetchCustomer = (_: Call, key: string): Answer => {
    const customer = customers.find(key);
    if (!customer) return paystackError(404, 'Customer not found');
    const own = dedicated.filter((one) => one.customer === customer && one.account.open);
    return paystackSuccess('Customer retrieved', {
      ...customerView(customer),
      dedicated_accounts: own.map(dedicatedView),
    });
  };
  return [
    ['POST', /^\/customer$/, createCustomer],
    ['GET', /^\/customer\/([^/]+)$/, fetchCustomer],
  ];
};

const openDedicated = (ledger: Ledger, customer: PaystackCustomer, bank: keyof typeof PAYSTACK_BANKS): Account =>
  ledger.open({
    provider: 'paystack',
    kind: 'static',
    reference: customer.email.split('@')[0] ?? '',
    name: `TWINSHOP/${customer.firstName} ${customer.lastName}`.toUpperCase(),
    bankName: PAYSTACK_BANKS[bank],
    bankCode: bank,
    toPay: null,
    expiresAt: null,
  });

const dedicatedRoutes = (customers: Customers, dedicated: readonly PaystackDedicatedAccount[]): readonly Route[] => {
  const fetchDedicated = (_: Call, id: string): Answer => {
    const one = dedicated.find((candidate) => String(candidate.id) === id);
    return one ? paystackSuccess('Customer retrieved', dedicatedView(one)) : paystackError(404, 'Account not found');
  };
  const listDedicated = ({ query }: Call): Answer => {
    const customer = customers.find(query.get('customer') ?? '');
    const own = dedicated.filter((one) => one.account.open && (!query.has('customer') || one.customer === customer));
    return paystackPage('Managed accounts successfully retrieved', own.map(dedicatedView), query);
  };
  const removeDedicated = (_: Call, id: string): Answer => {
    const one = dedicated.find((candidate) => String(candidate.id) === id && candidate.account.open);
    if (!one) return paystackError(404, 'Account not found');
    one.account.open = false;
    return paystackSuccess('Managed Account Successfully Unassigned', dedicatedView(one));
  };
  return [
    ['GET', /^\/dedicated_account$/, listDedicated],
    ['GET', /^\/dedicated_account\/(\d+)$/, fetchDedicated],
    ['DELETE', /^\/dedicated_account\/(\d+)$/, removeDedicated],
  ];
};

/** Customers and static accounts (providers.md section 1.2). */
export const paystackAccounts = (ledger: Ledger, nextId: () => number, now: () => number) => {
  const customers = newCustomers(nextId);
  const dedicated: PaystackDedicatedAccount[] = [];

  // What a second request for the same customer does is not documented: here it opens another account, which is the worse case for a merchant.
  const createDedicated = ({ body }: Call): Answer => {
    const given = newDedicated.safeParse(body);
    if (!given.success) return invalidParams();
    const customer = customers.find(given.data.customer);
    if (!customer) return paystackError(400, 'Customer code is invalid');
    if (!customer.firstName || !customer.lastName || !customer.phone) {
      return paystackError(400, 'Customer phone number or name is missing');
    }
    const account = openDedicated(ledger, customer, given.data.preferred_bank);
    const one = { id: nextId(), account, customer, createdAt: now() };
    dedicated.push(one);
    return paystackSuccess('NUBAN successfully created', dedicatedView(one));
  };

  const routes: readonly Route[] = [
    ...customerRoutes(customers, dedicated),
    ['POST', /^\/dedicated_account$/, createDedicated],
    ...dedicatedRoutes(customers, dedicated),
  ];
  return {
    routes,
    ensureCustomer: customers.ensure,
    /** Whose a static account is. */
    holderOf: (account: PaystackDedicatedAccount['account']): PaystackCustomer | undefined =>
      dedicated.find((one) => one.account === account)?.customer,
  };
};
