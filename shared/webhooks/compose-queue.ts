import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { deliveryQueue } from '#shared/webhooks/queue/delivery-queue.ts';

/** Connects the queues for a function that announces events of both modes. */
export const announcingQueue = (env: { readonly FIRST_QUEUE_URL: string; readonly TEST_QUEUE_URL: string }) =>
  deliveryQueue<'first'>(connectQueue(), { first: env.FIRST_QUEUE_URL, test: env.TEST_QUEUE_URL });

/** Connects the one queue of a function that announces events of a single mode. */
export const queueOfOneMode = (url: string) => deliveryQueue<'first'>(connectQueue(), { first: url, test: url });
