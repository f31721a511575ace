import { defineTrial, testKeyObjection } from '#shared/providers/common/simulator/tried-provider.ts';
import { KORAPAY_FIXTURES } from './fixtures.ts';

/** The try of Korapay (providers.md section 3). In its test mode a checkout completes by itself after two minutes. */
export const KORAPAY_TRIAL = defineTrial(KORAPAY_FIXTURES, {
  sandboxSettings: { bank: '000' },
  objection: testKeyObjection,
  cannot: { account_closed: 'Korapay has no call that closes an account.' },
  credit: ({ secretKey }, accountNumber, naira) => ({
    method: 'POST',
    path: '/virtual-bank-account/sandbox/credit',
    headers: { authorization: `Bearer ${secretKey}` },
    body: { account_number: accountNumber, amount: naira, currency: 'NGN' },
  }),
  calls: [
    {
      method: 'POST',
      path: '/virtual-bank-account',
      answer: { account: 'createAccount', account_again: 'duplicate' },
    },
    { method: 'POST', path: '/virtual-bank-account/sandbox/credit', answer: { credit: null } },
    { method: 'GET', path: '/virtual-bank-account/{reference}', answer: { usually: 'findAccount' } },
    {
      method: 'POST',
      path: '/charges/bank-transfer',
      answer: { checkout: 'createCharge', checkout_again: ['duplicate', 'createCharge'] },
    },
    {
      method: 'GET',
      path: '/charges/{reference}',
      answer: {
        credentials: 'notFound',
        unknown_reference: 'notFound',
        checkout_again: 'lookUpWaiting',
        unpaid: 'lookUpWaiting',
        credit_listed: 'lookUpOfAccount',
        paid: 'lookUpPaid',
      },
    },
    {
      method: 'GET',
      path: '/pay-ins',
      answer: { usually: null },
      rows: {
        at: 'data.payins',
        fixture: {
          credit_listed: ['payIn', 'payInWithBoth'],
          paid_listed: ['payIn', 'payInUnderOurs', 'payInWithBoth'],
        },
      },
    },
  ],
});
