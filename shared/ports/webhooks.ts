import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Transition } from '#shared/domain/kernel/transition.ts';
import type { Breaker } from '#shared/domain/webhooks/breaker.ts';
import type { Attempt, Delivery, DeliveryJob, DeliveryState, Lane } from '#shared/domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { Event, EventType } from '#shared/domain/webhooks/event.ts';
import type { Page, PageRequest } from './kernel.ts';

/** The outgoing queues of deliveries. Throws when a queue did not take every job. */
export interface DeliveryQueue<L extends Lane = Lane> {
  send(lane: L, jobs: readonly DeliveryJob[], delaySeconds?: number): Promise<void>;
}

export interface DeliveryStore {
  /** Applies a transition and returns the delivery after it; undefined when its condition did not hold. */
  apply(at: DeliveryAt, transition: Transition<Delivery>): Promise<Delivery | undefined>;
  /** Event, endpoint and breaker of a delivery, read together and consistently. */
  read(of: DeliveryAt): Promise<{
    readonly event: Event | undefined;
    readonly endpoint: WebhookEndpoint | undefined;
    readonly breaker: Breaker | undefined;
  }>;
  find(at: DeliveryAt): Promise<Delivery | undefined>;
  /** False when there is one to this endpoint already. */
  create(delivery: Delivery): Promise<boolean>;
  /** Keeps an attempt in the event's history. Harmless to repeat. */
  keepAttempt(at: DeliveryAt, made: Attempt): Promise<void>;
  /** Deliveries that wait behind an endpoint (`parked`) or were given up (`exhausted`), oldest event first, from a time on. */
  waiting(
    endpointId: string,
    state: 'parked' | 'exhausted',
    limit: number,
    since?: Millis,
  ): Promise<readonly Delivery[]>;
  /** Parked deliveries in the turn in which they are drained: by age, those after an event's first, and from the oldest on again. */
  nextToDrain(endpointId: string, afterEventId: string | null, limit: number): Promise<readonly Delivery[]>;
  /** The parked delivery whose turn to probe comes after that of an event: the newest while it is untried, else by age, and from the oldest on again. */
  nextParked(endpointId: string, afterEventId: string | null): Promise<Delivery | undefined>;
}

/** An event with its deliveries and their attempts, oldest first: of each delivery's the newest hundred. */
export interface EventHistory {
  readonly event: Event;
  readonly deliveries: readonly { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }[];
}

/** Which events a list is asked for; null where it does not matter. */
export interface EventFilter {
  readonly type: EventType | null;
  /** The state of at least one of its deliveries. */
  readonly deliveryState: DeliveryState | null;
  readonly since: Millis | null;
}

export interface EventReader {
  find(tenant: Tenant, id: string): Promise<EventHistory | undefined>;
  /** Looks at some hundred events at most, so that a page may be short, even empty, and still have a next one. */
  list(tenant: Tenant, filter: EventFilter, page: PageRequest): Promise<Page<Event>>;
}

export interface EndpointReader {
  find(tenant: Tenant, id: string): Promise<WebhookEndpoint | undefined>;
  /** Oldest first. */
  list(tenant: Tenant): Promise<readonly WebhookEndpoint[]>;
}

/** Which delivery. */
export type DeliveryAt = Pick<Delivery, 'eventId' | 'endpointId'>;

export interface BreakerStore {
  find(endpointId: string): Promise<Breaker | undefined>;
  /** False when the row is no longer at `after`'s version but one. */
  save(after: Breaker): Promise<boolean>;
}

/** Why this stage delivers no webhooks to a URL, as a sentence that goes on from the field's name; undefined when it does. */
export type CheckTarget = (url: string) => Promise<string | undefined>;

/** Posts a webhook. Never throws: what went wrong is part of the result. */
export type PostWebhook = (request: { url: string; headers: Record<string, string>; body: string }) => Promise<{
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** The Retry-After header as it came. */
  readonly retryAfter: string | null;
}>;
