import type { ProviderHealth } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, humanize, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

/** The service judges the health of providers once a minute. */
const EVERY_MS = 60_000;

/** Shows a provider's health, since when it is not healthy, and how long transfers take. */
const ProviderLine = ({ provider, state, landing_seconds: landing, since }: ProviderHealth) => (
  <li key={provider}>
    <strong>{humanize(provider)}</strong> <Badge state={state} />
    {state !== 'healthy' && since && (
      <>
        {' '}
        since <Time at={since} />
      </>
    )}
    {landing && (
      <span class="quiet">
        {' '}
        Half of the transfers land within {landing.p50} s, and 95 of 100 within {landing.p95} s.
      </span>
    )}
  </li>
);

/** Shows whether money lands at the providers. */
export const Providers = ({ place }: { place: Place }) => {
  const providers = useLoaded('providers', () => createClient(place).providers.list(), {
    fresh: true,
    every: EVERY_MS,
  });
  return (
    <section class="card">
      <h2>Providers</h2>
      <Loaded
        loading={providers}
        isEmpty={(all) => all.every(({ enabled }) => !enabled)}
        empty={<p>No provider is enabled for live mode here.</p>}
      >
        {(all) => <ul class="plain">{all.filter(({ enabled }) => enabled).map(ProviderLine)}</ul>}
      </Loaded>
    </section>
  );
};
