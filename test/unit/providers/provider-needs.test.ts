import { unmetNeeds } from '#shared/providers/domain/customer-needs.ts';
import { type Customer, type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { findNeedsWithSettings } from '#shared/providers/registry.ts';

const findNeeds = findNeedsWithSettings({});

const EVERYTHING: Customer = {
  name: 'Ngozi Adeyemi',
  phone: '+2348031234567',
  email: 'ngozi.adeyemi@example.com',
  bvn: '22212345678',
  nin: '70123456789',
};
const NOTHING: Customer = { name: 'Ngozi', phone: null, email: null, bvn: null, nin: null };

/** The missing fields by provider, mode and customer (the table of api-decisions.md section 3). */
const TABLE: [ProviderName, 'test' | 'live', string, Partial<Customer>, string[]][] = [
  ['paystack', 'test', 'a single name only', NOTHING, ['customer_phone', 'customer_email']],
  ['paystack', 'test', 'everything but the phone', { ...EVERYTHING, phone: null }, ['customer_phone']],
  ['paystack', 'test', 'everything but the e-mail', { ...EVERYTHING, email: null }, ['customer_email']],
  ['paystack', 'test', 'a single name', { ...EVERYTHING, name: 'Ngozi' }, []],
  ['paystack', 'test', 'no identity number', { ...EVERYTHING, bvn: null, nin: null }, []],
  ['paystack', 'live', 'a single name only', NOTHING, ['customer_phone', 'customer_email', 'customer_name']],
  ['paystack', 'live', 'a single name', { ...EVERYTHING, name: 'Ngozi' }, ['customer_name']],
  ['paystack', 'live', 'a single name and a space', { ...EVERYTHING, name: ' Ngozi ' }, ['customer_name']],
  ['paystack', 'live', 'three names', { ...EVERYTHING, name: 'Ngozi  Ada Adeyemi' }, []],
  ['paystack', 'live', 'no identity number', { ...EVERYTHING, bvn: null, nin: null }, []],
  ['monnify', 'test', 'a single name only', NOTHING, []],
  ['monnify', 'live', 'a single name only', NOTHING, ['customer_email', 'bvn']],
  ['monnify', 'live', 'a BVN only', { ...EVERYTHING, nin: null, phone: null }, []],
  ['monnify', 'live', 'a NIN only', { ...EVERYTHING, bvn: null, phone: null }, []],
  ['monnify', 'live', 'no identity number', { ...EVERYTHING, bvn: null, nin: null }, ['bvn']],
  ['monnify', 'live', 'no e-mail', { ...EVERYTHING, email: null }, ['customer_email']],
  ['korapay', 'test', 'a single name only', NOTHING, []],
  ['korapay', 'live', 'a single name only', NOTHING, ['bvn']],
  ['korapay', 'live', 'a BVN only', { ...EVERYTHING, nin: null }, []],
  ['korapay', 'live', 'a NIN only', { ...EVERYTHING, bvn: null }, ['bvn']],
  ['korapay', 'live', 'both identity numbers only', { ...NOTHING, bvn: '22212345678', nin: '70123456789' }, []],
];

describe('the customer needs of a provider', () => {
  test.each(TABLE)('are found for %s in %s mode, if the request has %s', (provider, mode, _, customer, missing) => {
    const unmet = unmetNeeds(provider, findNeeds(provider), mode, { ...EVERYTHING, ...customer });
    expect(unmet.map(({ field }) => field)).toEqual(missing);
    for (const { field, message } of unmet) {
      expect(message).toMatch(/^[a-z_]+ .+\.$/);
      expect(message).toContain(field);
      expect(message).toContain(provider);
    }
  });

  test.each(providerName.options)('%s requires nothing more of a customer with all details', (provider) => {
    expect(unmetNeeds(provider, findNeeds(provider), 'test', EVERYTHING)).toEqual([]);
    expect(unmetNeeds(provider, findNeeds(provider), 'live', EVERYTHING)).toEqual([]);
  });

  test('Paystack requires a BVN and a bank account in live mode if customers must be validated', () => {
    const paystack = { baseUrl: 'https://api.paystack.co', customerEmailDomain: 'a.example', validatesCustomers: true };
    const unmet = (mode: 'live' | 'test', customer: Customer) =>
      unmetNeeds('paystack', findNeedsWithSettings({ paystack })('paystack'), mode, customer).map(
        ({ message }) => message,
      );
    expect(unmet('live', { ...EVERYTHING, bvn: null })).toEqual([
      'bvn is required by paystack.',
      'bank_account is required by paystack.',
    ]);
    expect(unmet('live', { ...EVERYTHING, bankAccount: { accountNumber: '0123456789', bankCode: '058' } })).toEqual([]);
    expect(unmet('test', { ...EVERYTHING, bvn: null })).toEqual([]);
  });
});
