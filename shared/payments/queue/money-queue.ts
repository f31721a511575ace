import type { SQSClient } from '@aws-sdk/client-sqs';
import type { MoneyLane, MoneyQueue } from '#shared/payments/ports.ts';
import { sendMessages } from '#shared/platform/queues/send-messages.ts';

/** The URL of a queue of money work, by the part of the URL that they share. */
export const moneyQueueUrl = (urlPrefix: string, lane: MoneyLane): string => `${urlPrefix}-${lane}`;

/** The queues of money work, one for each provider, so that one that hangs delays its own work alone, and one for test mode. */
export const moneyQueue = (client: SQSClient, urlPrefix: string): MoneyQueue => ({
  send: (lane, works) =>
    sendMessages(
      client,
      moneyQueueUrl(urlPrefix, lane),
      works.map(({ ticket, group }) => ({ body: ticket, group })),
    ),
});
