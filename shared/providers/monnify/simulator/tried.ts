import { defineTrial, isLoopback } from '#shared/providers/common/simulator/tried-provider.ts';
import { MONNIFY_FIXTURES } from './fixtures.ts';

const SANDBOX = 'sandbox.monnify.com';

/** The try of Monnify (providers.md section 2). */
export const MONNIFY_TRIAL = defineTrial(MONNIFY_FIXTURES, {
  sandboxSettings: { baseUrl: `https://${SANDBOX}` },
  objection: ({ baseUrl, credentials: { apiKey } }) => {
    if (baseUrl.hostname !== SANDBOX && !isLoopback(baseUrl)) return `The base URL must be https://${SANDBOX}.`;
    return String(apiKey).startsWith('MK_TEST_') ? undefined : 'The API key must begin with MK_TEST_.';
  },
  cannot: {
    credit: 'Monnify has no call that pays an account in its sandbox.',
    credit_listed: 'Nothing was paid into the virtual account.',
  },
  calls: [
    { method: 'POST', path: '/api/v1/auth/login', answer: { usually: 'logIn' } },
    {
      method: 'POST',
      path: '/api/v2/bank-transfer/reserved-accounts',
      answer: {
        account: ['reserveAccount', 'reserveAccountNumericBank'],
        account_again: ['repeatedAccountReference', 'secondAccount'],
      },
    },
    {
      method: 'GET',
      path: '/api/v2/bank-transfer/reserved-accounts/{reference}',
      answer: { usually: ['findAccount', 'reserveAccountNumericBank'] },
    },
    {
      method: 'DELETE',
      path: '/api/v1/bank-transfer/reserved-accounts/reference/{reference}',
      answer: { account_closed: ['closeAccount', 'reserveAccountNumericBank'] },
    },
    {
      method: 'POST',
      path: '/api/v1/merchant/transactions/init-transaction',
      answer: {
        checkout: 'initialiseTransaction',
        checkout_again: ['repeatedPaymentReference', 'initialiseTransaction'],
      },
    },
    {
      method: 'POST',
      path: '/api/v1/merchant/bank-transfer/init-payment',
      answer: { usually: 'initialiseTransfer' },
    },
    {
      method: 'GET',
      path: '/api/v2/merchant/transactions/query',
      answer: {
        credentials: 'unknownTransaction',
        unknown_reference: 'unknownTransaction',
        checkout_again: 'lookUpPending',
        unpaid: 'lookUpPending',
        paid: 'lookUpPaid',
      },
    },
    {
      method: 'GET',
      path: '/api/v1/transactions/search',
      answer: { usually: 'searchPage' },
      rows: { at: 'responseBody.content', fixture: { list: 'pending', paid_listed: ['paid', 'paidWithAmount'] } },
    },
  ],
});
