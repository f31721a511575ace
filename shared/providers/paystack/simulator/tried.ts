import { defineTrial, testKeyObjection } from '#shared/providers/common/simulator/tried-provider.ts';
import { PAYSTACK_FIXTURES } from './fixtures.ts';

/** Tells `ops provider try` which calls to Paystack it expects, and with which fixtures it compares their answers (providers.md section 1). */
export const PAYSTACK_TRIAL = defineTrial(PAYSTACK_FIXTURES, {
  sandboxSettings: { bank: 'test-bank', customerEmailDomain: 'accounts.example.com' },
  objection: testKeyObjection,
  cannot: {
    credit: 'Paystack has no call that pays an account in test mode.',
    credit_listed: 'Nothing was paid into the virtual account.',
  },
  calls: [
    { method: 'POST', path: '/customer', answer: { usually: 'createCustomer' } },
    { method: 'GET', path: '/customer/{address}', answer: { usually: 'fetchCustomer' } },
    {
      method: 'GET',
      path: '/dedicated_account',
      answer: { usually: null },
      // The list shows the account only after it was opened.
      rows: { at: 'data', fixture: { account_again: 'dedicatedAccount', account_found: 'dedicatedAccount' } },
    },
    { method: 'POST', path: '/dedicated_account', answer: { account: 'createDedicated' } },
    {
      method: 'GET',
      path: '/dedicated_account/{id}',
      answer: { usually: null },
      rows: { at: 'data', fixture: { usually: 'dedicatedAccount' } },
    },
    { method: 'DELETE', path: '/dedicated_account/{id}', answer: { account_closed: 'removeDedicated' } },
    {
      method: 'POST',
      path: '/charge',
      answer: { checkout: 'createCharge', checkout_again: ['duplicateReference', 'createCharge'] },
    },
    { method: 'GET', path: '/charge/{reference}', answer: { checkout_again: null } },
    {
      method: 'GET',
      path: '/transaction/verify/{reference}',
      answer: {
        credentials: 'unknownReference',
        unknown_reference: 'unknownReference',
        unpaid: null,
        paid: 'verifyPaid',
      },
    },
    {
      method: 'GET',
      path: '/transaction',
      answer: { usually: ['pagesByNumber', 'pagesByCursor'] },
      rows: { at: 'data', fixture: { paid_listed: 'transaction' } },
    },
  ],
});
