import type { Notice } from '#shared/businesses/domain/notice.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Transition } from '#shared/platform/kernel/transition.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';
import type { Write } from '#shared/platform/requests/ports.ts';
import type { Breaker } from '#shared/webhooks/domain/breaker.ts';
import type {
  Attempt,
  Delivery,
  DeliveryJob,
  DeliveryState,
  ListedEvent,
  LiveLane,
} from '#shared/webhooks/domain/delivery.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { Event, EventType } from '#shared/webhooks/domain/event.ts';

/**
 * The outgoing queues of deliveries. Jobs of test mode go to the queue of test mode, whichever lane is named (`laneOf`).
 * @throws Error when a queue did not take every job.
 */
export interface DeliveryQueue<L extends LiveLane = LiveLane> {
  send(lane: L, jobs: readonly DeliveryJob[], delaySeconds?: number): Promise<void>;
}

/** What is written when an event is sent again: all of it or nothing. */
export interface Redelivery {
  /** New deliveries to endpoints that the event was not sent to before. */
  readonly created: readonly Delivery[];
  /** Deliveries that exist, as they were read and with what changes them. */
  readonly renewed: readonly { readonly before: Delivery; readonly transition: Transition<Delivery> }[];
}

export interface DeliveryStore {
  /**
   * The writes of a redelivery. Attempts that succeeded, which only their deliveries hold, become part of the history. `conflict`: a
   * delivery has changed.
   */
  redeliveryWrites(redelivery: Redelivery): readonly Write[];
  /**
   * Applies a transition, and returns the delivery as it is stored then; undefined when the condition did not hold. What was written
   * before, with its answer lost, counts (`isWritten`): that delivery may have changed since.
   */
  apply(key: DeliveryKeyWithMode, transition: Transition<Delivery>): Promise<Delivery | undefined>;
  /** Event, endpoint and breaker of a delivery, read together and consistently. */
  read(key: DeliveryKey): Promise<{
    readonly event: Event | undefined;
    readonly endpoint: WebhookEndpoint | undefined;
    readonly breaker: Breaker | undefined;
  }>;
  find(at: DeliveryKey): Promise<Delivery | undefined>;
  /** Stores an attempt in the event's history. Safe to repeat. */
  saveAttempt(at: DeliveryKey, attempt: Attempt): Promise<void>;
  /** What an endpoint's list of parked or exhausted deliveries names, oldest event first, of events since a time. The list may lag. */
  listWaiting(
    endpointId: string,
    state: 'parked' | 'exhausted',
    limit: number,
    since: Millis,
  ): Promise<readonly DeliveryKey[]>;
  /** One page of those, newest event first. A page may be short where the list lags. */
  pageOfWaiting(endpointId: string, state: 'parked' | 'exhausted', page: PageRequest): Promise<Page<Delivery>>;
  /** The deliveries that there are, in the order asked for, a hundred a round trip. */
  findAll(at: readonly DeliveryKey[]): Promise<readonly Delivery[]>;
  /** The next parked deliveries of a drain: by age, after that of an event; from the oldest again when none is left behind it. */
  nextToDrain(endpointId: string, afterEventId: string | null, limit: number): Promise<readonly Delivery[]>;
  /** How many deliveries are parked for an endpoint; no more than `limit` are counted. */
  countParked(endpointId: string, limit: number): Promise<number>;
  /** The parked delivery that probes after that of an event: the newest if it was never attempted, else in the order of a drain. */
  nextParked(endpointId: string, afterEventId: string | null): Promise<Delivery | undefined>;
}

/** An event with its deliveries, oldest endpoint first. */
export interface EventWithDeliveries {
  readonly event: Event;
  readonly deliveries: readonly Delivery[];
}

/** An event with its deliveries and their attempts, oldest first: as many of the newest as `shared/webhooks/domain/history.ts` says. */
export interface EventHistory {
  readonly event: Event;
  readonly deliveries: readonly { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }[];
}

/** Which events to list; null where any will do. */
export interface EventFilter {
  readonly type: EventType | null;
  /** The state of at least one of its deliveries. */
  readonly deliveryState: DeliveryState | null;
  readonly since: Millis | null;
  /** Before this time. */
  readonly until: Millis | null;
  /** Whether the deliveries of each are read as well. Absent: no. */
  readonly withDeliveries?: boolean;
}

export interface EventReader {
  find(tenant: Tenant, id: string): Promise<EventHistory | undefined>;
  /** The event with its deliveries to these endpoints, without their attempts. */
  at(tenant: Tenant, id: string, endpointIds: readonly string[]): Promise<EventWithDeliveries | undefined>;
  /** Reads 300 events at most, fewer where deliveries are read too. Such a page, and a filtered one, may be short, even empty, and still have a next one. */
  list(tenant: Tenant, filter: EventFilter, page: PageRequest): Promise<Page<ListedEvent>>;
}

export interface EndpointReader {
  find(tenant: Tenant, id: string): Promise<WebhookEndpoint | undefined>;
  /** The endpoint with its breaker, read together; a healthy one has none. */
  findWithBreaker(
    tenant: Tenant,
    id: string,
  ): Promise<{ readonly endpoint: WebhookEndpoint; readonly breaker: Breaker | undefined } | undefined>;
  /** Oldest first. */
  list(tenant: Tenant): Promise<readonly WebhookEndpoint[]>;
}

/** Which delivery. */
export type DeliveryKey = Pick<Delivery, 'eventId' | 'endpointId'>;
/** The same with its mode, which decides where it waits. */
export type DeliveryKeyWithMode = DeliveryKey & Pick<Delivery, 'mode'>;

export interface BreakerStore {
  find(endpointId: string): Promise<Breaker | undefined>;
  /** Writes the next version of a breaker, and what owners are mailed of it. False when the stored one is no longer the version before it. */
  save(after: Breaker, notice?: Notice): Promise<boolean>;
}

/** Why this stage delivers no webhooks to a URL, as the rest of a sentence that starts with the field's name; undefined when it does. */
export type CheckTarget = (url: string) => Promise<string | undefined>;

/** Posts a webhook. Never throws: a failure is part of the result. A status counts whatever body came with it: then there is no error. */
export type PostWebhook = (request: { url: string; headers: Record<string, string>; body: string }) => Promise<{
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** The Retry-After header, unparsed. */
  readonly retryAfter: string | null;
}>;
