import { INVALID_CURSOR, LIST_QUERY, list, METADATA_SENT, page, success } from '#infra/openapi/endpoint-page.ts';
import { atAnother, IDENTIFIED, inactive, recordedTransfer, virtualAccount } from '#infra/openapi/examples/objects.ts';
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
  provider: atAnother.provider,
  message: 'Duplicate identity document. (simulated)',
  code: 'provider_refused',
} as const;
const CUSTOMER = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: 'adaeze.okafor@example.com',
};
const BOTH = { ...CUSTOMER, metadata: { customer: '1042' }, banks: [virtualAccount.provider, atAnother.provider] };

const DEACTIVATION = {
  ...TAG,
  description:
    'The account becomes `inactive`, and is closed at its provider if the provider supports that. Repeating the request has no further effect and gives the same answer. Money that still arrives on it is recorded, and you receive `virtual_account.payment_received`.',
  path: PATH,
  query: { provider: 'The account’s provider. It may be left out; if it is sent, it must be the right one.' },
  body: {},
  requests: {},
  answers: {
    inactive: { summary: 'Deactivated', value: success(inactive, 'Virtual account deactivated.') },
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
    description: `Opens an account for a customer at every provider that you name, all at once. One failure does not affect the others: with at least one account the answer is a 201, so **read \`errors\` even then**. Send exactly one of \`banks\` and \`provider\`: with neither or both the answer is 422. The answer of a success has the same form.

| provider | needs | and in live mode |
|---|---|---|
${providerNeeds}

An entry of \`errors\` says what to do by its \`code\`:

| \`code\` | what happened | what to do |
|---|---|---|
| \`provider_busy\` | it takes no more requests right now, and did nothing | ask again, for this provider alone |
| \`provider_unreachable\` | it was not reached, and did nothing | the same, some minutes later |
| \`provider_refused\` | it said no to this customer, or to us | read \`message\`; the same request is refused again |
| \`provider_not_enabled\` | this service does not use it in this mode | leave it out |
| \`outcome_unknown\` | its account is \`pending\`: \`virtual_account_id\` | **do not ask again**, wait for the webhook |

Codes may be added: treat one that you do not know like \`provider_refused\`, and with a \`virtual_account_id\` like \`outcome_unknown\`. To ask again is another request, so it has an \`Idempotency-Key\` of its own. If no account was opened and one provider was busy, the 422 has \`Retry-After\`: the same request may then be sent again, with the same key.

Some providers have to validate a customer before they open an account. Where ours must, \`bvn\` and \`bank_account\` are needed in live mode besides; a request without them is 422 and names them. The account is \`pending\` until its customer is validated, and listed in \`errors\` like the next.

A provider that does not answer in time is listed in \`errors\` with the \`virtual_account_id\` of its account, which is \`pending\` until \`virtual_account.activated\` or \`virtual_account.failed\` is sent.`,
    path: {},
    query: {},
    body: {
      customer_name: 'The customer’s full name, at most 100 characters.',
      customer_phone:
        'A phone number in international form: `+` and 8 to 15 digits; after `+234` exactly ten, the first not 0.',
      customer_email: 'The customer’s e-mail address. A domain that is not ASCII is kept as `xn--`.',
      metadata: METADATA_SENT,
      bvn: 'The customer’s Bank Verification Number, 11 digits. Passed on to the provider; never stored, never logged.',
      nin: 'The customer’s National Identification Number, 11 digits. Passed on to the provider; never stored, never logged.',
      bank_account:
        'A bank account of the customer’s own, by which a provider may have to validate who they are. Passed on to the provider; never stored, never logged.',
      banks:
        'The providers to open accounts at, 1 to 10, without duplicates. Required unless you send `provider`; not together with it.',
      provider: 'The provider to open an account at. Required unless you send `banks`; not together with it.',
    },
    requests: {
      several: { summary: 'At two providers', value: BOTH },
      one: { summary: 'At one provider', value: { ...CUSTOMER, provider: virtualAccount.provider } },
      live: {
        summary: 'In live mode, with identity numbers',
        value: { ...CUSTOMER, ...IDENTIFIED },
      },
    },
    answers: {
      all: {
        summary: 'Every provider opened one',
        value: {
          status: true,
          message: 'Virtual accounts created.',
          customer_name: CUSTOMER.customer_name,
          accounts: [virtualAccount, atAnother],
          errors: [],
        },
      },
      some: {
        summary: 'One of two providers refused',
        value: {
          status: true,
          message: `Virtual accounts created, except at ${atAnother.provider}. See errors.`,
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
    description: 'Your virtual accounts of the key’s mode, newest first.',
    path: {},
    query: {
      ...LIST_QUERY,
      customer_email: 'Only the accounts of the customer with this e-mail address.',
      account_number: 'Only the account with this number, such as one that a customer reads from a bank app.',
    },
    body: {},
    requests: {},
    answers: { page: { summary: 'A page, the last one', value: list(atAnother, virtualAccount) } },
    invalid: [{ field: 'customer_email', message: 'customer_email must be an e-mail address.' }, INVALID_CURSOR],
  }),
  page(getVirtualAccountContract, {
    ...TAG,
    title: 'Get a virtual account',
    description: 'One virtual account, as it is now.',
    path: PATH,
    query: {},
    body: {},
    requests: {},
    answers: { active: { summary: 'An active one', value: success(virtualAccount) } },
    invalid: [],
  }),
  page(listVirtualAccountPaymentsContract, {
    ...TAG,
    title: 'List a virtual account’s payments',
    description: 'The payments into a virtual account, newest first.',
    path: PATH,
    query: LIST_QUERY,
    body: {},
    requests: {},
    answers: { page: { summary: 'A page, the last one', value: list(recordedTransfer) } },
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
      'Simulates a transfer to a test virtual account, or the return of the newest one. Everything after that is as in live mode, webhook included. The answer is the payment. The account must be `active`.',
    path: PATH,
    query: {},
    body: {
      outcome:
        '`accepted`, the default: a transfer arrives. `reversed`: the newest accepted transfer is returned; send no `amount` then.',
      amount:
        'The amount of the transfer, in naira: 0.01 to 100,000,000, at most two decimals. Required, unless `outcome` is `reversed`.',
      sender_name: 'Who pays, as the bank would report it; by default `Adaeze Okafor`.',
      sender_bank: 'The bank that the money comes from; by default `Sandbox Bank`.',
    },
    requests: {
      transfer: {
        summary: 'A transfer with its sender',
        value: { amount: 25_000, sender_name: 'CHIDI EZE', sender_bank: 'GTBank' },
      },
      least: { summary: 'As little as possible', value: { amount: 25_000 } },
      reverse: { summary: 'The newest is returned', value: { outcome: 'reversed' } },
    },
    answers: {
      landed: { summary: 'It landed', value: success(recordedTransfer) },
      reversed: { summary: 'It was returned', value: success({ ...recordedTransfer, outcome: 'reversed' }) },
    },
    invalid: [{ field: 'amount', message: 'amount is required and must be a number in naira.' }],
  }),
];
