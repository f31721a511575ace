import {
  createVirtualAccountsContract,
  providerFailure,
} from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import { bankAccount } from '#shared/virtual-accounts/contract/customer-fields.ts';
import { virtualAccountAnswer } from '#shared/virtual-accounts/contract/virtual-account-answer.ts';
import { BANK_CODE, component, ISSUING_PROVIDER, METADATA } from './component.ts';

/** The components of virtual accounts. */
export const VIRTUAL_ACCOUNT_COMPONENTS = [
  component(virtualAccountAnswer, 'VirtualAccount', 'A bank account number that belongs to one customer of yours.', {
    id: 'Identifies the virtual account.',
    provider: ISSUING_PROVIDER,
    account_number: 'The account number; null while `status` is `pending` or `failed`.',
    account_name: 'The name on the account; null while there is no number.',
    bank_name: 'The bank of the account; null while there is no number.',
    bank_code: BANK_CODE,
    customer_name: 'The customer’s name, as you sent it.',
    customer_phone: 'The customer’s phone number, as you sent it.',
    customer_email: 'The customer’s e-mail address, as you sent it. A domain outside ASCII is in its `xn--` form.',
    metadata: METADATA,
    mode: 'The mode of the key that created it.',
    status:
      '`active`: it takes money. `inactive`: you deactivated it. `pending`: the provider has not said yet whether it exists. `failed`: it does not exist.',
    created_at: 'The time when it was created.',
    deactivated_at: 'The time when it was deactivated; null if it was not.',
  }),
  component(bankAccount, 'BankAccount', 'A bank account that the customer owns.', {
    account_number: 'The account number, 10 digits.',
    bank_code: 'The code of the bank, 3 to 6 digits.',
  }),
  component(createVirtualAccountsContract.success.body, 'CreatedVirtualAccounts', 'The accounts that were opened.', {
    status: 'Always true: at least one account was opened.',
    message: 'A sentence for people. If a provider failed, it names the provider.',
    customer_name: 'The customer’s name, as you sent it.',
    accounts: 'The opened accounts, one for each provider that succeeded.',
    errors: 'One entry for each provider that opened no account; empty if all succeeded.',
  }),
  component(providerFailure, 'ProviderFailure', 'The reason why a provider opened no account.', {
    provider: 'The provider.',
    message: 'The provider’s own message, or our sentence about the failure.',
    code: 'The reason as a code, for programs: see *Partial failure: some banks opened, some did not*. Codes may be added.',
    virtual_account_id: 'The `id` of the account if its outcome is not known yet, else absent.',
  }),
];
