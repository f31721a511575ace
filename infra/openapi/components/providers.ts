import { providerStanding } from '#shared/providers/contract/list-providers.ts';
import { component } from './component.ts';

/** The component of a provider's health. */
export const PROVIDER_COMPONENTS = [
  component(providerStanding, 'ProviderHealth', 'The state of a provider.', {
    provider: 'The name of the provider.',
    enabled: 'True if accounts can be opened there in the mode of the key.',
    state:
      '`healthy`; `slow`: money lands much later than usual; `failing`: it opens no accounts, or money that was sent does not land. More states may be added.',
    landing_seconds:
      'Seconds from the payer’s transfer to our record of it, in the last half hour: half of the payments took at most `p50`, and 95 % took at most `p95`. Both are rounded up, and are 3,600 at most. Null if there were too few payments, or if the provider reports no time of payment.',
    since: 'The time since which it has been in this `state`; null if it is not known.',
  }),
];
