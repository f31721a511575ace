import { page, success } from '#infra/openapi/endpoint-page.ts';
import { providerStandings } from '#infra/openapi/examples/objects.ts';
import { listProvidersContract } from '#shared/providers/contract/list-providers.ts';

/** The page of providers. */
export const PROVIDER_PAGES = [
  page(listProvidersContract, {
    tag: 'Providers',
    title: 'List providers',
    description:
      'How each provider stands in the key’s mode: whether this service has enabled it, and whether money lands there. It is judged once a minute, by transfers of all businesses within the last half hour, beside the other providers and its own last week. Small counts say nothing: below ten samples of three businesses a provider is `healthy`.\n\nA provider is `failing` while it opens no account for more than a fifth of those who ask, or while more than 30 % of the transfers that payers say they have sent have not landed after five minutes. It is `slow` where money lands, but takes much longer than at the others and than in its last week.\n\nIn test mode the sandbox stands in for every provider, and each is `healthy`.',
    path: {},
    query: {},
    body: {},
    requests: {},
    answers: {
      providers: {
        summary: 'One of three fails',
        value: success(providerStandings),
      },
    },
    invalid: [],
  }),
];
