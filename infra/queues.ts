import { ALL_FUNCTIONS } from './dashboard-functions.ts';
import type { Trigger } from './function-spec.ts';
import type { QueueLane } from './lanes.ts';

/* The settings of the queues, for CDK and for the local stack. */

/** AWS advises six times the consumer's time-out, so that a message is not seen again while it is worked on. */
const VISIBILITY_TIMEOUTS = 6;
/** A code works for ten minutes, and SES lets a new account send one mail a second: what it refuses is tried again within seconds. */
const MAIL_BEYOND_TIMEOUT = 5;

/** A message that cannot be handled is our own bug; one receive alone may be lost without reaching the consumer. */
export const MAX_RECEIVES = 5;

const consumes = (trigger: Trigger, queue: QueueLane | 'codes'): boolean =>
  queue === 'codes' ? trigger.kind === 'mails' : trigger.kind === 'queue' && trigger.lanes.includes(queue);

/** For how many seconds a received message of a queue stays hidden. */
export const visibilitySeconds = (queue: QueueLane | 'codes'): number => {
  const consumers = ALL_FUNCTIONS.filter(({ trigger }) => consumes(trigger, queue));
  const timeout = Math.max(...consumers.map(({ timeoutSeconds }) => timeoutSeconds));
  return queue === 'codes' ? timeout + MAIL_BEYOND_TIMEOUT : VISIBILITY_TIMEOUTS * timeout;
};

/** The name of a queue's dead-letter queue. */
export const nameDeadLetterQueue = (queueName: string): string => `${queueName}-dlq`;
