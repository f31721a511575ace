import * as z from 'zod';
import type { Account, Ledger } from '#shared/providers/common/simulator/ledger.ts';
import type { Notification } from '#shared/providers/common/simulator/provider.ts';
import type { Answer, Call, Route } from '#shared/providers/common/simulator/wire.ts';
import { assignmentEvent, identificationEvent } from './notifications.ts';
import type { PaystackReading } from './readings.ts';
import {
  createdCustomerView,
  createdDedicatedView,
  dedicatedRow,
  fetchedCustomerView,
  invalidParams,
  type PaystackCustomer,
  type PaystackDedicatedAccount,
  paystackError,
  paystackPage,
  paystackSuccess,
  removedDedicatedView,
} from './shapes.ts';

/** The banks that issue accounts, by slug. */
export const PAYSTACK_BANKS = { 'titan-paystack': 'Titan Paystack', 'wema-bank': 'Wema Bank' } as const;

const newCustomer = z.object({
  email: z.email(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  phone: z.string().nullish(),
});

const newAssignment = z.object({
  email: z.email(),
  first_name: z.string().min(1),
  last_name: z.string().min(1),
  phone: z.string().min(1),
  preferred_bank: z.enum(['titan-paystack', 'wema-bank']),
  country: z.literal('NG'),
  // Paystack requires the next three fields only of businesses whose customers must be validated. The simulator always requires them.
  bvn: z.string().regex(/^\d{11}$/),
  account_number: z.string().regex(/^\d{10}$/),
  bank_code: z.string().regex(/^\d{3,6}$/),
});

const newDedicated = z.object({
  customer: z.union([z.string(), z.number()]).transform(String),
  preferred_bank: z.enum(['titan-paystack', 'wema-bank']).default('titan-paystack'),
});

/** Stores customers, one for each e-mail address. */
const newCustomers = (nextId: () => number, now: () => number) => {
  const customers: PaystackCustomer[] = [];
  const find = (key: string): PaystackCustomer | undefined =>
    customers.find(
      (customer) => customer.code === key || String(customer.id) === key || customer.email === key.toLowerCase(),
    );
  return {
    /** Finds a customer by code, id or e-mail address. */
    find,
    /** Finds or creates the customer with this address. */
    ensure: (request: z.infer<typeof newCustomer>): PaystackCustomer => {
      const known = find(request.email);
      if (known) return known;
      const id = nextId();
      const customer = {
        id,
        code: `CUS_${id.toString(36)}`,
        email: request.email.toLowerCase(),
        firstName: request.first_name ?? null,
        lastName: request.last_name ?? null,
        phone: request.phone ?? null,
        createdAt: now(),
      };
      customers.push(customer);
      return customer;
    },
  };
};
type Customers = ReturnType<typeof newCustomers>;

const customerRoutes = (customers: Customers, dedicated: readonly PaystackDedicatedAccount[]): readonly Route[] => {
  const createCustomer = ({ body }: Call): Answer => {
    const parsed = newCustomer.safeParse(body);
    if (!parsed.success) return invalidParams();
    return paystackSuccess('Customer created', createdCustomerView(customers.ensure(parsed.data)));
  };
  const fetchCustomer = (_: Call, key: string): Answer => {
    const customer = customers.find(key);
    if (!customer) return paystackError(404, 'Customer email is invalid for your live domain.');
    const openAccount = dedicated.find((entry) => entry.customer === customer && entry.account.open);
    return paystackSuccess('Customer retrieved', fetchedCustomerView(customer, openAccount));
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
    name: `SIMSHOP/${customer.firstName} ${customer.lastName}`.toUpperCase(),
    bankName: PAYSTACK_BANKS[bank],
    bankCode: bank,
    toPay: null,
    expiresAt: null,
  });

const dedicatedRoutes = (
  customers: Customers,
  dedicated: readonly PaystackDedicatedAccount[],
  reading: () => PaystackReading,
): readonly Route[] => {
  const fetchDedicated = (_: Call, id: string): Answer => {
    const entry = dedicated.find((candidate) => String(candidate.id) === id);
    if (!entry) return paystackError(404, 'Account not found');
    return paystackSuccess('Managed account successfully retrieved', dedicatedRow(entry));
  };
  const listDedicated = ({ query }: Call): Answer => {
    const customer = customers.find(query.get('customer') ?? '');
    const listedAccounts = dedicated.filter(
      (entry) => entry.account.open && (!query.has('customer') || entry.customer === customer),
    );
    return paystackPage('Managed accounts successfully retrieved', listedAccounts.map(dedicatedRow), query, reading());
  };
  const removeDedicated = (_: Call, id: string): Answer => {
    const entry = dedicated.find((candidate) => String(candidate.id) === id && candidate.account.open);
    if (!entry) return paystackError(404, 'Account not found');
    entry.account.open = false;
    return paystackSuccess('Managed Account Successfully Unassigned', removedDedicatedView(entry));
  };
  return [
    ['GET', /^\/dedicated_account$/, listDedicated],
    ['GET', /^\/dedicated_account\/(\d+)$/, fetchDedicated],
    ['DELETE', /^\/dedicated_account\/(\d+)$/, removeDedicated],
  ];
};

type Bank = keyof typeof PAYSTACK_BANKS;

/** Dependencies of the accounts: the current reading, the sender of events, and the key that signs them. */
export interface PaystackAccountsDeps {
  readonly reading: () => PaystackReading;
  readonly notify: (notification: Notification) => void;
  readonly secretKey: string;
}

/** Simulates customers and static accounts (providers.md section 1.2). */
export const paystackAccounts = (
  ledger: Ledger,
  nextId: () => number,
  now: () => number,
  { reading, notify, secretKey }: PaystackAccountsDeps,
) => {
  const customers = newCustomers(nextId, now);
  const dedicated: PaystackDedicatedAccount[] = [];
  const pendingAssignments = new Map<PaystackCustomer, Bank>();

  const openFor = (customer: PaystackCustomer, bank: Bank): PaystackDedicatedAccount => {
    const opened = { id: nextId(), account: openDedicated(ledger, customer, bank), customer, createdAt: now() };
    dedicated.push(opened);
    return opened;
  };

  // A second request for the same customer is not documented. Here it opens another account, which is the worse case for a merchant.
  const createDedicated = ({ body }: Call): Answer => {
    const parsed = newDedicated.safeParse(body);
    if (!parsed.success) return invalidParams();
    const customer = customers.find(parsed.data.customer);
    if (!customer) return paystackError(400, 'Customer code is invalid');
    if (!customer.firstName || !customer.lastName || !customer.phone) {
      return paystackError(400, 'Customer phone number or name is missing');
    }
    return paystackSuccess(
      'NUBAN successfully created',
      createdDedicatedView(openFor(customer, parsed.data.preferred_bank)),
    );
  };

  const validate = (customer: PaystackCustomer, outcome: 'success' | 'failed', isNotified: boolean): void => {
    const bank = pendingAssignments.get(customer);
    if (bank === undefined) throw new Error('No customer with this address is being validated.');
    pendingAssignments.delete(customer);
    const opened = outcome === 'success' ? openFor(customer, bank) : undefined;
    if (!isNotified) return;
    notify(identificationEvent(customer, outcome === 'success', secretKey));
    notify(assignmentEvent(customer, opened, secretKey));
  };

  // A second assignment is not documented either. Here the validation begins anew.
  const assign = ({ body }: Call): Answer => {
    const parsed = newAssignment.safeParse(body);
    if (parsed.error?.issues.some(({ path }) => path[0] === 'bvn')) return paystackError(400, 'Invalid BVN');
    if (!parsed.success) return invalidParams();
    const customer = customers.ensure(parsed.data);
    pendingAssignments.set(customer, parsed.data.preferred_bank);
    const { validation } = reading();
    if (validation !== 'by_hand') validate(customer, validation, true);
    return paystackSuccess('Assign dedicated account in progress');
  };

  const routes: readonly Route[] = [
    ...customerRoutes(customers, dedicated),
    ['POST', /^\/dedicated_account$/, createDedicated],
    ['POST', /^\/dedicated_account\/assign$/, assign],
    ...dedicatedRoutes(customers, dedicated, reading),
  ];
  return {
    routes,
    ensureCustomer: customers.ensure,
    /** Ends the validation of the customer whose e-mail address contains the reference. @throws Error if none is in progress. */
    validate: (reference: string, outcome: 'success' | 'failed', isNotified: boolean): void => {
      const [customer] = [...pendingAssignments.keys()].filter(({ email }) =>
        email.startsWith(`${reference.toLowerCase()}@`),
      );
      if (!customer) throw new Error('No customer with this reference is being validated.');
      validate(customer, outcome, isNotified);
    },
    /** Finds the customer of a static account. */
    findCustomer: (account: PaystackDedicatedAccount['account']): PaystackCustomer | undefined =>
      dedicated.find((entry) => entry.account === account)?.customer,
  };
};
