import { ALL_FUNCTIONS } from './dashboard-functions.ts';
import type { Trigger } from './function-spec.ts';
import type { QueueLane } from './lanes.ts';

/* Settings of the queues, for CDK and for the local stack. */

/** AWS advises a visibility time-out of six times the consumer's time-out, so that no message is received again during its work. */
const VISIBILITY_TIMEOUTS = 6;
/** Seconds beyond the consumer's time-out. They are few, because a code works for only ten minutes, and SES may reject mails of a new account. */
const MAIL_BEYOND_TIMEOUT = 5;

/** Receives before a message becomes a dead letter. More than one, because a received message may be lost before it reaches the consumer. */
export const MAX_RECEIVES = 5;

const consumes = (trigger: Trigger, queue: QueueLane | 'codes'): boolean =>
  queue === 'codes' ? trigger.kind === 'mails' : trigger.kind === 'queue' && trigger.lanes.includes(queue);

/** Computes the seconds for which a received message stays hidden. */
export const visibilitySeconds = (queue: QueueLane | 'codes'): number => {
  const consumers = ALL_FUNCTIONS.filter(({ trigger }) => consumes(trigger, queue));
  const timeout = Math.max(...consumers.map(({ timeoutSeconds }) => timeoutSeconds));
  return queue === 'codes' ? timeout + MAIL_BEYOND_TIMEOUT : VISIBILITY_TIMEOUTS * timeout;
};

/** The name of a queue's dead-letter queue. */
export const nameDeadLetterQueue = (queueName: string): string => `${queueName}-dlq`;
