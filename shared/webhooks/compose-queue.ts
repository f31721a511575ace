import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { deliveryQueue } from '#shared/webhooks/queue/delivery-queue.ts';

/** The queues to which a function of both modes announces events. */
export const announcingQueue = (env: { readonly FIRST_QUEUE_URL: string; readonly TEST_QUEUE_URL: string }) =>
  deliveryQueue<'first'>(connectQueue(), { first: env.FIRST_QUEUE_URL, test: env.TEST_QUEUE_URL });

/** The queue to which a function of one mode announces events. It knows no other. */
export const queueOfOneMode = (url: string) => deliveryQueue<'first'>(connectQueue(), { first: url, test: url });
