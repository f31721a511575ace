import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { MailQueue } from '#shared/ports/members.ts';

/** The queue of mails that are to be sent. */
export const mailQueue = (client: SQSClient, url: string): MailQueue => ({
  send: async (mail) => {
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: JSON.stringify(mail) }));
  },
});
