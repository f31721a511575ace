import { type Business, type EndpointHead, MAX_ENDPOINTS_PER_MODE, nextBusiness } from '#shared/domain/business.ts';
import { eventType } from '#shared/domain/event.ts';
import type { Mode } from '#shared/domain/mode.ts';
import { OperatorError } from '#shared/domain/operator-error.ts';
import { headOf, type WebhookEndpoint, webhookEndpoint } from '#shared/domain/webhook-endpoint.ts';
import { newWebhookSecret } from '#shared/domain/webhook-signature.ts';
import type { Nature } from '#shared/ports.ts';
import { type ChangeBusinessDeps, changeBusiness } from './change-business.ts';

export interface CreateWebhookEndpointDeps extends ChangeBusinessDeps, Pick<Nature, 'randomBytes'> {
  /** The stage's setting for rehearsals: http counts as well as https. */
  readonly allowAnyTarget: boolean;
}

export interface CreateWebhookEndpointInput {
  readonly businessId: string;
  readonly mode: Mode;
  readonly url: string;
  /** Event types, or `*` alone for all of them. */
  readonly events: readonly string[];
  readonly who: string;
}

type Events = EndpointHead['events'];

const LONGEST_URL = 2_048;
const HTTP = /^https?:\/\/[^\s\p{Cc}]+$/iu;

const readUrl = (text: string, allowAnyTarget: boolean): URL => {
  const wanted = allowAnyTarget ? 'an http or https' : 'an https';
  const acceptable = HTTP.test(text) && text.length <= LONGEST_URL && webhookEndpoint.shape.url.safeParse(text).success;
  const url = acceptable && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol === 'http:' && !allowAnyTarget)) {
    throw new OperatorError(
      `A webhook URL is ${wanted} address of at most ${LONGEST_URL} characters. Write it out in full, scheme first.`,
    );
  }
  if (url.username || url.password) {
    throw new OperatorError('A webhook URL holds no user name or password. Receivers check the signature instead.');
  }
  return url;
};

const readEvents = (given: readonly string[]): Events => {
  const known = [...eventType.options, '*'];
  const unknown = given.filter((type) => !known.includes(type));
  if (unknown.length > 0 || given.length === 0) {
    const fault = unknown.length > 0 ? `Unknown event types: ${unknown.join(', ')}.` : 'No event type is given.';
    throw new OperatorError(`${fault} Choose from ${eventType.options.join(', ')}, or * for all of them.`);
  }
  const events = webhookEndpoint.shape.events.parse([...new Set(given)]);
  if (events.includes('*') && events.length > 1) {
    throw new OperatorError('* stands for all event types. Give it alone, or name the types.');
  }
  return events;
};

const ensureRoom = (business: Business, mode: Mode): void => {
  if (business.endpoints.filter((head) => head.mode === mode).length < MAX_ENDPOINTS_PER_MODE) return;
  throw new OperatorError(
    `Business ${business.id} has ${MAX_ENDPOINTS_PER_MODE} webhook endpoints in ${mode} mode, which is the most.`,
  );
};

/**
 * A new webhook endpoint, enabled at once. Its secret is in this answer only.
 * @throws OperatorError for a bad URL or event type, an unknown business, or a sixth endpoint in the mode.
 */
export const createWebhookEndpoint = async (
  deps: CreateWebhookEndpointDeps,
  { businessId, mode, who, ...input }: CreateWebhookEndpointInput,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> => {
  const text = input.url.trim();
  const url = readUrl(text, deps.allowAnyTarget);
  const events = readEvents(input.events);
  const secret = newWebhookSecret(deps.randomBytes);
  const endpoint: WebhookEndpoint = {
    id: deps.newId('whe'),
    businessId,
    mode,
    url: text,
    events,
    enabled: true,
    secrets: [secret],
    disabledReason: null,
    createdAt: deps.now(),
  };
  return changeBusiness(deps, { businessId, who }, (business) => {
    ensureRoom(business, mode);
    return {
      result: { endpoint, secret },
      write: {
        after: nextBusiness(business, { endpoints: [...business.endpoints, headOf(endpoint)] }),
        newEndpoint: endpoint,
        // The host alone: paths and queries of webhook URLs often hold tokens.
        what: `created the ${mode} webhook endpoint ${endpoint.id} at ${url.host}`,
      },
    };
  });
};
