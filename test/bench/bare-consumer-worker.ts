import { Agent } from 'node:http';
import { workerData } from 'node:worker_threads';
import type { SQSEvent } from 'aws-lambda';
import { FUNCTIONS } from '#infra/functions.ts';
import { startPoller } from '#infra/local/lambda/poller.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { leaseAndPost, poster } from './bare-consumer.ts';

/** The thread's parameters. It reads the engines' addresses from the environment. */
export interface BareConsumerWork {
  readonly tableName: string;
  readonly dueShards: number;
  readonly queueUrl: string;
}

/* The bare consumer in its own thread, as the local stack's consumer, behind the same poller. */

const { tableName, dueShards, queueUrl } = workerData as BareConsumerWork;
const deliver = leaseAndPost(
  connectTable({ TABLE_NAME: tableName, DUE_SHARDS: dueShards }),
  poster(new Agent({ keepAlive: true })),
);
const spec = FUNCTIONS.find(({ name }) => name === 'deliver-webhooks');
if (spec?.trigger.kind !== 'queue') throw new Error('The manifest has no deliver-webhooks.');
const invoke = async (event: unknown): Promise<void> => {
  await Promise.all((event as SQSEvent).Records.map(({ body }) => deliver(JSON.parse(body))));
};
startPoller({ invoke }, queueUrl, spec.trigger.batchSize);
