import { ALL_FUNCTIONS } from './dashboard-functions.ts';
import type { Trigger } from './function-spec.ts';
import type { QueueLane } from './lanes.ts';

/* Settings of the queues, for CDK and for the local stack. */

/** AWS advises a visibility time-out of six times the consumer's time-out, so that no message is received again during its work. */
const VISIBILITY_FACTOR = 6;
/**
 * Seconds that a message with a sign-in code stays hidden beyond its consumer's time-out. They are few, so that a mail that SES rejected is tried
 * again soon: SES rejects mails of new accounts that send fast, and a code works for only ten minutes.
 */
const MAIL_BEYOND_TIMEOUT = 5;

/** How often a message is received before it becomes a dead letter. More than once, because a received message may not reach the consumer. */
export const MAX_RECEIVES = 5;

const consumes = (trigger: Trigger, queue: QueueLane | 'codes'): boolean =>
  queue === 'codes' ? trigger.kind === 'mails' : trigger.kind === 'queue' && trigger.lanes.includes(queue);

/** Computes the seconds for which a received message stays hidden. */
export const visibilitySeconds = (queue: QueueLane | 'codes'): number => {
  const consumers = ALL_FUNCTIONS.filter(({ trigger }) => consumes(trigger, queue));
  const timeout = Math.max(...consumers.map(({ timeoutSeconds }) => timeoutSeconds));
  return queue === 'codes' ? timeout + MAIL_BEYOND_TIMEOUT : VISIBILITY_FACTOR * timeout;
};

/** The name of a queue's dead-letter queue. */
export const nameDeadLetterQueue = (queueName: string): string => `${queueName}-dlq`;
