import { errorBody, errorDetail } from '#shared/platform/contract/errors.ts';
import { component } from './component.ts';

/** The components of API errors. */
export const ERROR_COMPONENTS = [
  component(errorDetail, 'ErrorDetail', 'An invalid field of the request, or a provider that failed.', {
    field: 'The invalid field; absent if a provider failed.',
    provider: 'The provider that failed; absent if a field is invalid.',
    message: 'A sentence for people that says what is wrong.',
    code: 'The reason why the provider failed, for programs; absent if a field is invalid. Codes may be added.',
    virtual_account_id: 'The `id` of the account if its outcome is not known yet, else absent.',
  }),
  component(errorBody, 'Error', 'The answer to a request that failed.', {
    status: 'Always false.',
    message: 'A sentence for people that says what is wrong. It may be reworded, so programs should read `code`.',
    code: 'The error for programs. Codes may be added: handle an unknown code by its HTTP status.',
    request_id: 'The id of the request, as in the `x-request-id` header. Quote it when you contact us.',
    errors:
      'Present if there are details: `field` and `message` of each invalid field, or `provider`, `message` and `code` of each provider that failed.',
    accounts: 'Always empty. Only present with `all_providers_failed`, which has the fields of a success.',
  }),
];
