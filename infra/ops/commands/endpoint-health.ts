import type { Stage } from '#infra/ops/connect.ts';
import { listing } from '#infra/ops/output.ts';
import { formatTime } from '#infra/ops/views.ts';
import { type Breaker, healthyBreaker } from '#shared/webhooks/domain/breaker.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';

/** Says whether an endpoint is switched on. */
export const endpointState = ({ enabled, disabledReason }: WebhookEndpoint): string =>
  enabled ? 'enabled' : `disabled: ${disabledReason ?? 'by hand'}`;

/** The health of an endpoint in the command's JSON. */
interface Health {
  /** `parked`: it fails, and deliveries wait while a canary probes it. `draining`: it works again and gets the parked deliveries. */
  readonly health: 'well' | 'failing' | 'parked' | 'draining';
  /** Failed attempts in a row. */
  readonly failures: number;
  readonly failing_since: string | null;
}

interface EndpointWithHealth {
  readonly endpoint: WebhookEndpoint;
  readonly health: Health;
}

const toHealth = ({ state, outage }: Breaker): Health => {
  const failures = outage?.failures ?? 0;
  const health = { closed: failures > 0 ? 'failing' : 'well', open: 'parked', draining: 'draining' } as const;
  return { health: health[state], failures, failing_since: formatTime(outage?.since ?? null) };
};

/** Reads an endpoint's health from its breaker. */
export const endpointHealth = async (stage: Stage, { id: endpointId, mode }: WebhookEndpoint): Promise<Health> =>
  toHealth((await stage.breakers.find(endpointId)) ?? healthyBreaker({ endpointId, mode }));

/** Adds the health of each endpoint. */
export const withHealth = (stage: Stage, endpoints: readonly WebhookEndpoint[]): Promise<EndpointWithHealth[]> =>
  Promise.all(endpoints.map(async (endpoint) => ({ endpoint, health: await endpointHealth(stage, endpoint) })));

/** Formats an endpoint's health for people. */
export const healthText = ({ health, failures, failing_since: since }: Health): string => {
  if (health === 'well') return 'well';
  if (health === 'draining') return 'works again; parked deliveries are being sent';
  const failing = `failing since ${since}, ${failures} times in a row`;
  return health === 'parked' ? `${failing}; deliveries are parked` : failing;
};

/** Formats endpoints and their health as a table. */
export const healthTable = (endpoints: readonly EndpointWithHealth[]): string =>
  listing(
    ['ID', 'MODE', 'STATE', 'HEALTH', 'EVENTS', 'URL'],
    endpoints.map(({ endpoint, health }) => [
      ...[endpoint.id, endpoint.mode, endpointState(endpoint), healthText(health)],
      ...[endpoint.events.join(','), endpoint.url],
    ]),
    '  none',
  );
