import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';
import type { Attempt, Delivery } from '#shared/webhooks/domain/delivery.ts';

const attemptView = (attempt: Attempt) => ({
  number: attempt.number,
  at: isoMicros(attempt.at),
  status_code: attempt.statusCode,
  duration_ms: attempt.durationMs,
  error: attempt.error,
  response: attempt.response,
});

const isoOrNull = (at: Millis | null): string | null => (at === null ? null : isoMicros(at));

/** Shows a delivery in a list of events. */
export const listedDeliveryView = (delivery: Delivery) => ({
  id: delivery.id,
  endpoint_id: delivery.endpointId,
  status: delivery.state,
  next_attempt_at: isoOrNull(delivery.nextAttemptAt),
});

/** Shows a delivery and its attempts, oldest attempt first. */
export const deliveryView = (delivery: Delivery, attempts: readonly Attempt[]) => {
  const { next_attempt_at, ...known } = listedDeliveryView(delivery);
  return { ...known, attempts: attempts.map(attemptView), next_attempt_at };
};

/** Shows a delivery in the list of its endpoint, with its last attempt. */
export const undeliveredView = (delivery: Delivery) => ({
  id: delivery.id,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  status: delivery.state,
  attempts: delivery.attempt,
  last_attempt: delivery.lastAttempt && attemptView(delivery.lastAttempt),
  next_attempt_at: isoOrNull(delivery.nextAttemptAt),
});
