import type { SQSClient } from '@aws-sdk/client-sqs';
import type { MoneyLane, MoneyQueue } from '#shared/payments/ports.ts';
import { sendMessages } from '#shared/platform/queues/send-messages.ts';

/** Builds the URL of a queue of money work. All these URLs begin with `urlPrefix`. */
export const moneyQueueUrl = (urlPrefix: string, lane: MoneyLane): string => `${urlPrefix}-${lane}`;

/** Connects the queues of money work. Each provider has its own, so that a provider that hangs delays only its own work. Test mode has another. */
export const moneyQueue = (client: SQSClient, urlPrefix: string): MoneyQueue => ({
  send: (lane, works) =>
    sendMessages(
      client,
      moneyQueueUrl(urlPrefix, lane),
      works.map(({ ticket, group }) => ({ body: ticket, group })),
    ),
});
