import {
  ATTEMPT_TIMEOUT,
  type Attempt,
  cancel,
  claim,
  type DeliveryJob,
  failAttempt,
  jobOf,
  succeed,
} from '#shared/domain/delivery.ts';
import { SECOND } from '#shared/domain/time.ts';
import { webhookHeaders } from '#shared/domain/webhook-signature.ts';
import type { DeliveryQueue, DeliveryStore, Log, Nature, PostWebhook } from '#shared/ports.ts';

export interface DeliverDeps extends Pick<Nature, 'now' | 'draw' | 'newId'> {
  readonly deliveries: DeliveryStore;
  readonly queue: DeliveryQueue;
  readonly post: PostWebhook;
  readonly log: Log;
}

const isSuccess = (statusCode: number | null): boolean => statusCode !== null && statusCode >= 200 && statusCode < 300;

/**
 * One attempt (architecture.md section 5): claim it under a lease, post the stored bytes with a fresh signature, write what
 * came of it under that lease, and queue the next attempt. A job that no longer describes its delivery is dropped.
 * Whatever dies in between, the due-work index brings the delivery back.
 */
export const deliverWebhook = async (deps: DeliverDeps, job: DeliveryJob): Promise<void> => {
  // The claim and what it needs are read at once; both are void together when the claim is lost.
  const [claimed, { event, endpoint }] = await Promise.all([
    deps.deliveries.apply(job, claim(job, deps.newId('lease'), deps.now())),
    deps.deliveries.read(job),
  ]);
  const about = { event_id: job.eventId, endpoint_id: job.endpointId };
  if (!claimed) return deps.log('delivery_claim_lost', about);
  if (!event || !endpoint?.enabled) {
    await deps.deliveries.apply(claimed, cancel(claimed));
    return deps.log('delivery_cancelled', about);
  }

  const startedAt = deps.now();
  // A consumer that was frozen since its claim must not post what another may be posting.
  if (startedAt + ATTEMPT_TIMEOUT >= claimed.leaseUntil) return deps.log('delivery_result_void', about);
  const headers = webhookHeaders(endpoint.secrets, event.id, startedAt, event.body);
  const { statusCode, error, response } = await deps.post({ url: endpoint.url, headers, body: event.body });
  const endedAt = deps.now();
  const made: Attempt = {
    number: claimed.attempt,
    at: startedAt,
    statusCode,
    durationMs: endedAt - startedAt,
    error,
    response,
  };
  const succeeded = error === null && isSuccess(statusCode);
  deps.log('delivery_attempted', {
    ...about,
    event_type: event.type,
    attempt: made.number,
    status_code: statusCode,
    milliseconds: made.durationMs,
    error,
    succeeded,
  });

  const outcome = succeeded ? succeed(claimed, made) : failAttempt(claimed, made, endedAt, deps.draw());
  const after = await deps.deliveries.apply(claimed, outcome);
  if (!after) return deps.log('delivery_result_void', about);
  if (after.nextAttemptAt === null) return;
  try {
    await deps.queue.send([jobOf(after)], Math.ceil((after.nextAttemptAt - deps.now()) / SECOND));
  } catch (failure) {
    deps.log('deliveries_not_queued', { count: 1 }, failure);
  }
};
