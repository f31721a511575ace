import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { CodeQueue } from '#shared/members/ports.ts';
import { messageBody } from '#shared/platform/queues/message-body.ts';

/** Sends sign-in codes to a queue of their own, so that no number of notices delays a sign-in. */
export const codeQueue = (client: SQSClient, url: string): CodeQueue => ({
  send: async (mail) => {
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: messageBody(mail) }));
  },
});
