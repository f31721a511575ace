import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';

/** Where a function of both modes announces. */
export const announcingQueue = (env: { readonly FIRST_QUEUE_URL: string; readonly TEST_QUEUE_URL: string }) =>
  deliveryQueue<'first'>(connectQueue(), { first: env.FIRST_QUEUE_URL, test: env.TEST_QUEUE_URL });

/** Where a function of one mode announces: it is told of no other queue. */
export const queueOfOneMode = (url: string) => deliveryQueue<'first'>(connectQueue(), { first: url, test: url });
