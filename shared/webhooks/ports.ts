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
 * The queues that deliveries are sent to. Jobs of test mode go to the queue of test mode, whatever `lane` says (`chooseLane`).
 * @throws Error if a queue did not take every job.
 */
export interface DeliveryQueue<L extends LiveLane = LiveLane> {
  send(lane: L, jobs: readonly DeliveryJob[], delaySeconds?: number): Promise<void>;
}

/** The deliveries that change when an event is sent again. One transaction writes all of them. */
export interface Redelivery {
  /** New deliveries to endpoints that the event was not sent to before. */
  readonly created: readonly Delivery[];
  /** Existing deliveries as they were read, each with its change. */
  readonly renewed: readonly { readonly before: Delivery; readonly transition: Transition<Delivery> }[];
}

export interface DeliveryStore {
  /**
   * Returns the writes of a redelivery. They also store each attempt that succeeded, because so far only the delivery contains this attempt. The
   * writes fail with `conflict` if a delivery has changed.
   */
  redeliveryWrites(redelivery: Redelivery): readonly Write[];
  /**
   * Applies a transition and returns the stored delivery; undefined if the condition did not hold. If an earlier try of the same write
   * succeeded but its answer was lost (`isWritten`), it returns the delivery, which may have changed since.
   */
  apply(key: DeliveryKeyWithMode, transition: Transition<Delivery>): Promise<Delivery | undefined>;
  /** Reads the event, the endpoint and the breaker of a delivery in one consistent read. */
  read(key: DeliveryKey): Promise<{
    readonly event: Event | undefined;
    readonly endpoint: WebhookEndpoint | undefined;
    readonly breaker: Breaker | undefined;
  }>;
  find(key: DeliveryKey): Promise<Delivery | undefined>;
  /** Stores an attempt in the event's history. Safe to repeat. */
  saveAttempt(key: DeliveryKey, attempt: Attempt): Promise<void>;
  /** Lists the keys of an endpoint's parked or exhausted deliveries of events since a time, oldest event first. The list may lag. */
  listUndeliveredKeys(
    endpointId: string,
    state: 'parked' | 'exhausted',
    limit: number,
    since: Millis,
  ): Promise<readonly DeliveryKey[]>;
  /** Reads one list page of an endpoint's parked or exhausted deliveries, newest event first. A list page may be short if the list lags. */
  pageOfUndelivered(endpointId: string, state: 'parked' | 'exhausted', page: PageRequest): Promise<Page<Delivery>>;
  /** Reads the deliveries that exist, in the order of the keys, a hundred in each round trip. */
  findAll(keys: readonly DeliveryKey[]): Promise<readonly Delivery[]>;
  /** Reads the next parked deliveries of a drain: those of events after `afterEventId`, oldest first; if none is left, from the oldest again. */
  nextToDrain(endpointId: string, afterEventId: string | null, limit: number): Promise<readonly Delivery[]>;
  /** Counts the parked deliveries of an endpoint, up to `limit`. */
  countParked(endpointId: string, limit: number): Promise<number>;
  /** Chooses the parked delivery that probes next: the newest if it was never attempted, otherwise the next in the order of a drain. */
  nextParked(endpointId: string, afterEventId: string | null): Promise<Delivery | undefined>;
}

/** An event with its deliveries, oldest endpoint first. */
export interface EventWithDeliveries {
  readonly event: Event;
  readonly deliveries: readonly Delivery[];
}

/** An event with its newest deliveries and their newest attempts, oldest first. The limits are in `shared/webhooks/domain/history.ts`. */
export interface EventHistory {
  readonly event: Event;
  readonly deliveries: readonly { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }[];
}

/** A filter for a list of events. Null matches every event. */
export interface EventFilter {
  readonly type: EventType | null;
  /** The state of at least one of its deliveries. */
  readonly deliveryState: DeliveryState | null;
  readonly since: Millis | null;
  /** Before this time. */
  readonly until: Millis | null;
  /** Whether to read the deliveries of each event too. Default: no. */
  readonly withDeliveries?: boolean;
}

export interface EventReader {
  find(tenant: Tenant, id: string): Promise<EventHistory | undefined>;
  /** Reads the event with its deliveries to these endpoints, without their attempts. */
  findForEndpoints(
    tenant: Tenant,
    id: string,
    endpointIds: readonly string[],
  ): Promise<EventWithDeliveries | undefined>;
  /**
   * Reads at most 300 events, fewer if deliveries are read too. A list page with deliveries or a filter may be short or empty, and another list
   * page may still follow.
   */
  list(tenant: Tenant, filter: EventFilter, page: PageRequest): Promise<Page<ListedEvent>>;
}

export interface EndpointReader {
  find(tenant: Tenant, id: string): Promise<WebhookEndpoint | undefined>;
  /** Reads the endpoint with its breaker in one read. Without a breaker the endpoint is healthy. */
  findWithBreaker(
    tenant: Tenant,
    id: string,
  ): Promise<{ readonly endpoint: WebhookEndpoint; readonly breaker: Breaker | undefined } | undefined>;
  /** Lists the endpoints of a mode, oldest first. */
  list(tenant: Tenant): Promise<readonly WebhookEndpoint[]>;
}

/** Identifies a delivery. */
export type DeliveryKey = Pick<Delivery, 'eventId' | 'endpointId'>;
/** Identifies a delivery, with its mode, which selects its part of the due-work index. */
export type DeliveryKeyWithMode = DeliveryKey & Pick<Delivery, 'mode'>;

export interface BreakerStore {
  find(endpointId: string): Promise<Breaker | undefined>;
  /** Writes the next version of a breaker, and the notice to owners if any. Returns false if the stored breaker is not the version before `after`. */
  save(after: Breaker, notice?: Notice): Promise<boolean>;
}

/**
 * Returns why this stage delivers no webhooks to a URL, as the rest of a sentence that begins with the field's name; undefined if it
 * delivers to the URL.
 */
export type CheckTarget = (url: string) => Promise<string | undefined>;

/** Posts a webhook. Never throws: a failure is part of the result. If a status arrived, `error` is null, even if the body failed. */
export type PostWebhook = (request: { url: string; headers: Record<string, string>; body: string }) => Promise<{
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** The Retry-After header, unparsed. */
  readonly retryAfter: string | null;
}>;
