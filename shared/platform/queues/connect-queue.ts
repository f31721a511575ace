import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { type CallLimits, clientSettings, reportUnavailable } from '#shared/platform/aws-client.ts';

/** The limits of a call: it gives up within seconds, because a delivery that was not sent is still in the due-work index. */
export const QUEUE_LIMITS = { answerMs: 3_000, maxAttempts: 2 };

/** Makes a client of queues. A failed call throws DependencyUnavailable if a later call may succeed, and otherwise the SDK's error. */
export const connectQueue = (limits: CallLimits = QUEUE_LIMITS, config: SQSClientConfig = {}): SQSClient =>
  reportUnavailable(new SQSClient({ ...clientSettings(limits), ...config }));
