import type { OperatorChange } from '#shared/domain/businesses/operator-change.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { DAY, type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import { ensureEnabled, hostOf, type WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { Event, EventType } from '#shared/domain/webhooks/event.ts';
import type { BusinessStore } from '#shared/ports/businesses.ts';
import type { CheckTarget } from '#shared/ports/webhooks.ts';
import { recorderOf } from '#shared/use-cases/kernel/record-change.ts';
import { type CreatedEndpoint, ensureTarget } from './create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';
import { asOperatorError, parseSubscription } from './operator-input.ts';
import { type RotateDeps, rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { ensureExampleAllowed, TEST, type TestEndpointDeps, testWebhookEndpoint } from './test-webhook-endpoint.ts';
import {
  type ChangeWebhookEndpointDeps,
  changeWebhookEndpoint,
  type WebhookEndpointUpdate,
} from './update-webhook-endpoint.ts';

/* What an operator does with one endpoint, on record: in the same transaction, or before it where the change is several writes. */

interface FindDeps {
  readonly businesses: Pick<BusinessStore, 'findEndpoint'>;
}

/** The endpoint, and who changes it. */
interface Named {
  readonly endpointId: string;
  readonly who: string;
}

/** How long a replaced secret may sign beside the new one. */
const LONGEST_GRACE: Millis = 7 * DAY;
const DISABLED_BY_OPERATOR = 'Switched off by an operator.';

const noSuchEndpoint = (id: string): OperatorError =>
  new OperatorError(`There is no webhook endpoint ${id}. The command "endpoint list" shows those of a business.`);

/** An endpoint by its id, of any business. @throws OperatorError when there is none. */
export const findEndpoint = async ({ businesses }: FindDeps, id: string): Promise<WebhookEndpoint> => {
  if (!idSchema('whe').safeParse(id).success) {
    throw new OperatorError('That is not the id of a webhook endpoint. It starts with whe_ and 26 characters follow.');
  }
  const found = await businesses.findEndpoint(id);
  if (!found) throw noSuchEndpoint(id);
  return found;
};

const tenantOf = ({ businessId, mode }: WebhookEndpoint): Tenant => ({ businessId, mode });

const recordOf = (
  { newId, now }: Pick<TestEndpointDeps, 'newId' | 'now'>,
  { businessId }: WebhookEndpoint,
  { who }: Named,
  what: string,
): OperatorChange => ({ id: newId('log'), businessId, at: now(), who, what });

/** Does it, and says in the operator's words why it was refused: the endpoint may be deleted meanwhile. */
const inOperatorsWords = async <T>({ endpointId }: Named, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'webhook_endpoint_not_found') throw noSuchEndpoint(endpointId);
    throw asOperatorError(error);
  }
};

export interface UpdateByOperatorInput extends Named {
  /** Null leaves a part as it is. */
  readonly url: string | null;
  /** Event types, or `*` alone for all of them. */
  readonly events: readonly string[] | null;
  readonly enabled: boolean | null;
}

export interface UpdateByOperatorDeps extends ChangeWebhookEndpointDeps {
  readonly checkTarget: CheckTarget;
}

const changesIn = ({ url, events, enabled }: WebhookEndpointUpdate): string =>
  [
    ...(url === null ? [] : [`posts to ${hostOf(url)}`]),
    ...(events === null ? [] : [`gets ${events.join(', ')}`]),
    ...(enabled === null ? [] : [enabled ? 'is switched on' : 'is switched off']),
  ].join('; ');

const changesNothing = (endpoint: WebhookEndpoint, { url, events, enabled }: WebhookEndpointUpdate): boolean =>
  url === null &&
  (events === null || String(events) === String(endpoint.events)) &&
  (enabled === null || enabled === endpoint.enabled);

/**
 * An operator changes an endpoint as its business could, without its allowance. The record comes first, because a failing endpoint's
 * breaker changes as well.
 * @throws OperatorError for an unknown endpoint, a bad URL or event type, or when nothing is to be changed.
 */
export const updateEndpointByOperator = async (
  deps: UpdateByOperatorDeps,
  input: UpdateByOperatorInput,
): Promise<WebhookEndpoint> => {
  const { endpointId, enabled } = input;
  const events = input.events && parseSubscription(input.events);
  if (input.url === null && events === null && enabled === null) {
    throw new OperatorError('Say what to change: --url, --events, or both.');
  }
  const before = await findEndpoint(deps, endpointId);
  return inOperatorsWords(input, async () => {
    const url = input.url === null ? null : await ensureTarget(deps.checkTarget, input.url.trim());
    const update = { url, events, enabled };
    if (changesNothing(before, update)) return before;
    const what = `changed the ${before.mode} webhook endpoint ${endpointId}: it ${changesIn(update)}`;
    await deps.businesses.recordChange(recordOf(deps, before, input, what));
    return changeWebhookEndpoint(deps, tenantOf(before), endpointId, update, DISABLED_BY_OPERATOR);
  });
};

/**
 * An operator gives an endpoint a new secret. The one before it signs as well for `grace` milliseconds, 0 to 7 days.
 * @throws OperatorError for an unknown endpoint, or a grace out of range.
 */
export const rotateSecretByOperator = async (
  deps: RotateDeps & Pick<TestEndpointDeps, 'newId'>,
  input: Named & { readonly grace: Millis },
): Promise<CreatedEndpoint> => {
  const { endpointId: id, grace } = input;
  if (!Number.isSafeInteger(grace) || grace < 0 || grace > LONGEST_GRACE) {
    throw new OperatorError('The grace period of a replaced secret must be between 0 and 7 days.');
  }
  const before = await findEndpoint(deps, id);
  const record = recorderOf(deps, { businessId: before.businessId, who: input.who });
  return inOperatorsWords(input, () =>
    rotateWebhookSecret(deps, tenantOf(before), { id, graceSeconds: Math.floor(grace / SECOND) }, record),
  );
};

/** An operator deletes an endpoint. Returns it as it was. @throws OperatorError for an unknown endpoint. */
export const deleteEndpointByOperator = async (
  deps: RotateDeps & Pick<TestEndpointDeps, 'newId'>,
  input: Named,
): Promise<WebhookEndpoint> => {
  const { endpointId: id } = input;
  const before = await findEndpoint(deps, id);
  const record = recorderOf(deps, { businessId: before.businessId, who: input.who });
  return inOperatorsWords(input, () => deleteWebhookEndpoint(deps, tenantOf(before), id, record));
};

/**
 * An operator sends a test event, or in test mode the example of another type, to one endpoint, within its allowance. Who asked for it
 * is recorded first.
 * @throws OperatorError for an unknown endpoint, one that is switched off, one that was sent too much by hand, or an example in live mode.
 */
export const testEndpointByOperator = async (
  deps: TestEndpointDeps & { readonly businesses: Pick<BusinessStore, 'findEndpoint' | 'recordChange'> },
  input: Named & { readonly type: EventType | null },
): Promise<Event> => {
  const { endpointId: id, type } = input;
  const endpoint = await findEndpoint(deps, id);
  return inOperatorsWords(input, async () => {
    const { mode } = ensureEnabled(endpoint, id);
    ensureExampleAllowed(mode, type ?? TEST);
    const asked = type === null || type === TEST ? 'a test event' : `an example of ${type}`;
    const what = `asked for ${asked} to the ${mode} webhook endpoint ${id}`;
    await deps.businesses.recordChange(recordOf(deps, endpoint, input, what));
    return testWebhookEndpoint(deps, tenantOf(endpoint), { id, type }, () => undefined);
  });
};
