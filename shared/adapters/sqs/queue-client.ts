import type { SQSClient } from '@aws-sdk/client-sqs';
import { type AwsCommand, awsCalls, SQS } from '#shared/adapters/aws-call.ts';

/** Sends commands of `@aws-sdk/client-sqs`. */
export type QueueClient = Pick<SQSClient, 'send'>;

/** A client of queues. `answerMs`: the time of one attempt. */
export const queueClient = (client: SQSClient, { answerMs }: { readonly answerMs: number }): QueueClient => {
  const call = awsCalls(client, SQS, { answerMs });
  const send = (command: AwsCommand, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) =>
    call(command, command.input, abortSignal);
  return { send: send as unknown as QueueClient['send'] };
};
