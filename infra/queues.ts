import type { Lane } from '#shared/domain/webhooks/delivery.ts';
import { FUNCTIONS } from './functions.ts';

/* The settings of the delivery queues, for CDK and for the local stack. */

/** AWS advises six times the consumer's time-out, so that a message is not seen again while it is worked on. */
const VISIBILITY_TIMEOUTS = 6;

/** A message that cannot be handled is our own bug; one receive alone may be lost without reaching the consumer. */
export const MAX_RECEIVES = 5;

/** For how many seconds a received message of a lane stays hidden. */
export const visibilitySeconds = (lane: Lane): number =>
  VISIBILITY_TIMEOUTS *
  Math.max(
    ...FUNCTIONS.filter(({ trigger }) => trigger.kind === 'queue' && trigger.lanes.includes(lane)).map(
      ({ timeoutSeconds }) => timeoutSeconds,
    ),
  );

/** The name of a queue's dead-letter queue. */
export const deadLetterQueueOf = (queueName: string): string => `${queueName}-dlq`;
