import { isoMicros } from '#shared/domain/kernel/time.ts';
import type { Attempt, Delivery } from '#shared/domain/webhooks/delivery.ts';

/** A delivery and its attempts, oldest first, as the API shows them. */
export const deliveryView = (delivery: Delivery, attempts: readonly Attempt[]) => ({
  id: delivery.id,
  endpoint_id: delivery.endpointId,
  status: delivery.state,
  attempts: attempts.map((attempt) => ({
    number: attempt.number,
    at: isoMicros(attempt.at),
    status_code: attempt.statusCode,
    duration_ms: attempt.durationMs,
    error: attempt.error,
    response: attempt.response,
  })),
  next_attempt_at: delivery.nextAttemptAt === null ? null : isoMicros(delivery.nextAttemptAt),
});
