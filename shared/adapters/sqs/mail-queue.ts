import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { MailQueue } from '#shared/ports/members.ts';
import { messageBody } from './message-body.ts';
import type { QueueClient } from './queue-client.ts';

/** The queue of mails that are to be sent. */
export const mailQueue = (client: QueueClient, url: string): MailQueue => ({
  send: async (mail) => {
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: messageBody(mail) }));
  },
});
