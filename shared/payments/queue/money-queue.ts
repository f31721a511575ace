import type { SQSClient } from '@aws-sdk/client-sqs';
import type { MoneyQueue } from '#shared/payments/ports.ts';
import { sendMessages } from '#shared/platform/queues/send-messages.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** The URL of a provider's queue, by the part of the URL that they share. */
export const moneyQueueUrl = (shared: string, provider: ProviderName): string => `${shared}-${provider}`;

/** The queues of money work, one for each provider, so that one that hangs delays its own work alone. */
export const moneyQueue = (client: SQSClient, shared: string): MoneyQueue => ({
  send: (provider, tickets) =>
    sendMessages(
      client,
      moneyQueueUrl(shared, provider),
      tickets.map((body) => ({ body })),
    ),
});
