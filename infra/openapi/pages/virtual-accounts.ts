import { INVALID_CURSOR, LIST_QUERY, list, METADATA_SENT, page, success } from '#infra/openapi/endpoint-page.ts';
import {
  accountAtAnotherProvider,
  IDENTITY_FIELDS,
  inactiveAccount,
  recordedTransfer,
  virtualAccount,
} from '#infra/openapi/examples/objects.ts';
import { providerNeeds } from '#infra/openapi/provider-words.ts';
import { createVirtualAccountsContract } from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import {
  deleteVirtualAccountContract,
  postDeleteVirtualAccountContract,
} from '#shared/virtual-accounts/contract/delete-virtual-account.ts';
import { getVirtualAccountContract } from '#shared/virtual-accounts/contract/get-virtual-account.ts';
import { listVirtualAccountPaymentsContract } from '#shared/virtual-accounts/contract/list-virtual-account-payments.ts';
import { listVirtualAccountsContract } from '#shared/virtual-accounts/contract/list-virtual-accounts.ts';
import { simulateVirtualAccountPaymentContract } from '#shared/virtual-accounts/contract/simulate-virtual-account-payment.ts';

const TAG = { tag: 'Virtual accounts' } as const;
const PATH = { id: { description: 'The `id` of the virtual account.', example: virtualAccount.id } };
const REFUSED = {
  provider: accountAtAnotherProvider.provider,
  message: 'Duplicate identity document. (simulated)',
  code: 'provider_refused',
} as const;
const CUSTOMER = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: 'adaeze.okafor@example.com',
};
const BOTH = {
  ...CUSTOMER,
  metadata: { customer: '1042' },
  banks: [virtualAccount.provider, accountAtAnotherProvider.provider],
};

const DEACTIVATION = {
  ...TAG,
  description:
    'The account becomes `inactive`, and is closed at its provider if the provider supports that. A repeated request has no further effect and gets the same answer. Money that still arrives is recorded, and `virtual_account.payment_received` is sent.',
  path: PATH,
  query: { provider: 'The account’s provider. You may leave it out. If you send it, it must be the right one.' },
  body: {},
  requests: {},
  answers: {
    inactive: { summary: 'Deactivated', value: success(inactiveAccount, 'Virtual account deactivated.') },
  },
  invalid: [
    { field: 'provider', message: `provider must be ${virtualAccount.provider}, the provider of this account.` },
  ],
  errors: {
    provider_error: { message: `${virtualAccount.provider} could not complete the request.` },
    provider_busy: { message: `${virtualAccount.provider} takes no more requests right now.` },
  },
};

/** The pages of virtual accounts. */
export const VIRTUAL_ACCOUNT_PAGES = [
  page(createVirtualAccountsContract, {
    ...TAG,
    title: 'Create virtual accounts',
    description: `Opens an account for a customer at every provider that you name, all at once. Send either \`banks\` or \`provider\`; with both or none of them the answer is 422. The answer has the same form for both. A failure at one provider does not affect the others: with at least one account the answer is 201, so **read \`errors\` even then**. If no provider opened an account, the answer is 422 \`all_providers_failed\`. *Partial failure: some banks opened, some did not* says what to do for each \`code\` in \`errors\`.

| provider | needs | and in live mode |
|---|---|---|
${providerNeeds}

A provider may have to validate the customers of this service. Then an account in live mode also needs \`bvn\` and \`bank_account\`; without them the answer is 422, and \`errors\` names them. The account is \`pending\` until the provider has validated the customer.

If a provider does not answer in time, its account is \`pending\` too. A pending account is in \`errors\` with its \`virtual_account_id\`, and \`virtual_account.activated\` or \`virtual_account.failed\` is sent when its outcome is known.`,
    path: {},
    query: {},
    body: {
      customer_name: 'The customer’s full name, at most 100 characters.',
      customer_phone:
        'A phone number in international form: `+` and 8 to 15 digits. After `+234` there are exactly ten digits, and the first is not 0.',
      customer_email: 'The customer’s e-mail address. A domain outside ASCII is stored in its `xn--` form.',
      metadata: METADATA_SENT,
      bvn: 'The customer’s Bank Verification Number, 11 digits. We pass it on to the provider, and never store or log it.',
      nin: 'The customer’s National Identification Number, 11 digits. We pass it on to the provider, and never store or log it.',
      bank_account:
        'A bank account that the customer owns, for providers that must validate the customer. We pass it on to the provider, and never store or log it.',
      banks:
        'The providers to open accounts at: 1 to 10, without duplicates. Required if you do not send `provider`, and not allowed together with it.',
      provider:
        'The provider to open an account at. Required if you do not send `banks`, and not allowed together with it.',
    },
    requests: {
      several: { summary: 'At two providers', value: BOTH },
      single: { summary: 'At one provider', value: { ...CUSTOMER, provider: virtualAccount.provider } },
      live: {
        summary: 'In live mode, with identity numbers',
        value: { ...CUSTOMER, ...IDENTITY_FIELDS },
      },
    },
    answers: {
      all: {
        summary: 'Every provider opened one',
        value: {
          status: true,
          message: 'Virtual accounts created.',
          customer_name: CUSTOMER.customer_name,
          accounts: [virtualAccount, accountAtAnotherProvider],
          errors: [],
        },
      },
      some: {
        summary: 'One of two providers refused',
        value: {
          status: true,
          message: `Virtual accounts created, except at ${accountAtAnotherProvider.provider}. See errors.`,
          customer_name: CUSTOMER.customer_name,
          accounts: [virtualAccount],
          errors: [REFUSED],
        },
      },
    },
    invalid: [
      { field: 'customer_phone', message: `customer_phone is required by ${virtualAccount.provider}.` },
      { field: 'customer_email', message: `customer_email is required by ${virtualAccount.provider}.` },
    ],
    errors: {
      all_providers_failed: { errors: [{ ...REFUSED, provider: virtualAccount.provider }, REFUSED], accounts: [] },
    },
  }),
  page(listVirtualAccountsContract, {
    ...TAG,
    title: 'List virtual accounts',
    description: 'Lists your virtual accounts in the key’s mode, newest first.',
    path: {},
    query: {
      ...LIST_QUERY,
      customer_email: 'Only the accounts of the customer with this e-mail address.',
      account_number: 'Only the account with this number.',
    },
    body: {},
    requests: {},
    answers: { page: { summary: 'The last page', value: list(accountAtAnotherProvider, virtualAccount) } },
    invalid: [{ field: 'customer_email', message: 'customer_email must be an e-mail address.' }, INVALID_CURSOR],
  }),
  page(getVirtualAccountContract, {
    ...TAG,
    title: 'Get a virtual account',
    description: 'Returns a virtual account in its current state.',
    path: PATH,
    query: {},
    body: {},
    requests: {},
    answers: { active: { summary: 'An active account', value: success(virtualAccount) } },
    invalid: [],
  }),
  page(listVirtualAccountPaymentsContract, {
    ...TAG,
    title: 'List a virtual account’s payments',
    description: 'Lists the payments into a virtual account, newest first.',
    path: PATH,
    query: LIST_QUERY,
    body: {},
    requests: {},
    answers: { page: { summary: 'The last page', value: list(recordedTransfer) } },
    invalid: [{ field: 'limit', message: 'limit must be a whole number from 1 to 100.' }, INVALID_CURSOR],
  }),
  page(deleteVirtualAccountContract, { ...DEACTIVATION, title: 'Deactivate a virtual account' }),
  page(postDeleteVirtualAccountContract, {
    ...DEACTIVATION,
    title: 'Deactivate a virtual account by POST',
    description: `For clients that cannot send DELETE. ${DEACTIVATION.description}`,
  }),
  page(simulateVirtualAccountPaymentContract, {
    ...TAG,
    title: 'Simulate a transfer',
    description:
      'Simulates a transfer to a test virtual account, or the return of the newest accepted transfer. Everything after it works as in live mode, webhooks included. The answer is the payment. The account must be `active`.',
    path: PATH,
    query: {},
    body: {
      outcome:
        '`accepted` (default): a transfer arrives. `reversed`: the newest accepted transfer is returned; send no `amount`.',
      amount:
        'The amount of the transfer, in naira: 0.01 to 100,000,000, with at most two decimals. Required unless `outcome` is `reversed`.',
      sender_name: 'The sender, as the bank would report it. Default: `Adaeze Okafor`.',
      sender_bank: 'The sender’s bank. Default: `Sandbox Bank`.',
    },
    requests: {
      transfer: {
        summary: 'A transfer with a sender',
        value: { amount: 25_000, sender_name: 'CHIDI EZE', sender_bank: 'GTBank' },
      },
      least: { summary: 'The required fields only', value: { amount: 25_000 } },
      reverse: { summary: 'The return of the newest transfer', value: { outcome: 'reversed' } },
    },
    answers: {
      landed: { summary: 'The transfer landed', value: success(recordedTransfer) },
      reversed: { summary: 'The transfer was returned', value: success({ ...recordedTransfer, outcome: 'reversed' }) },
    },
    invalid: [{ field: 'amount', message: 'amount is required and must be a number in naira.' }],
  }),
];
