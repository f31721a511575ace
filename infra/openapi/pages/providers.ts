import { page, success } from '#infra/openapi/endpoint-page.ts';
import { providerStandings } from '#infra/openapi/examples/objects.ts';
import { listProvidersContract } from '#shared/providers/contract/list-providers.ts';

/** The page of providers. */
export const PROVIDER_PAGES = [
  page(listProvidersContract, {
    tag: 'Providers',
    title: 'List providers',
    description:
      'Lists the providers: whether each is enabled in the key’s mode, and whether money lands there. The state is computed once a minute from the transfers of all businesses in the last half hour, compared with the other providers and with the provider’s own last week. With fewer than ten samples of three businesses a provider is `healthy`.\n\nA provider is `failing` while more than a fifth of the requests for an account fail, or while more than 30 % of the transfers that payers reported as sent have not landed five minutes later. It is `slow` if money lands, but takes much longer than at the other providers and than in its own last week.\n\nIn test mode the sandbox replaces every provider, and each is `healthy`.',
    path: {},
    query: {},
    body: {},
    requests: {},
    answers: {
      providers: {
        summary: 'One of three providers fails',
        value: success(providerStandings),
      },
    },
    invalid: [],
  }),
];
