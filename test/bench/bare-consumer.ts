import { type Agent, request } from 'node:http';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  breakerKey,
  deliveryKey,
  dueFamily,
  endpointKey,
  eventKey,
  inDueWork,
} from '#shared/adapters/dynamodb/table/keys.ts';
import { getItems, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { updateOf } from '#shared/adapters/dynamodb/table/update-expression.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import type { Transition } from '#shared/domain/kernel/transition.ts';
import type { Delivery, DeliveryJob } from '#shared/domain/webhooks/delivery.ts';
import { startAttempt, startAttemptInPlace, succeed } from '#shared/domain/webhooks/delivery-transitions.ts';

/** Posts JSON with Node's own client, and waits for the end of the answer. */
export type Post = (url: string, body: string) => Promise<void>;

export const poster =
  (agent: Agent): Post =>
  (url, body) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().once('end', resolve);
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });

/**
 * The least that a consumer does which makes one attempt at a time (architecture.md section 5): the read of a batch, a conditional
 * write before each POST and one after it. The calls that `deliverWebhook` makes for a delivery that succeeds at once; no schema, signature
 * or log line.
 */
export const leaseAndPost = (table: Table, post: Post) => {
  const write = async (job: DeliveryJob, transition: Transition<Delivery>): Promise<Delivery> => {
    const Key = deliveryKey(job.eventId, job.endpointId);
    const { dueAt } = transition.set;
    const place =
      dueAt === undefined
        ? {}
        : {
            gsi2pk: null,
            gsi2sk: null,
            ...inDueWork(Key, dueFamily('deliveries', job.mode), dueAt, table.dueShards),
          };
    const command = { TableName: table.name, Key, ...updateOf(transition, place), ReturnValues: 'ALL_NEW' as const };
    const { Attributes } = await table.client.send(new UpdateCommand(command));
    return Attributes as Delivery;
  };
  return async (job: DeliveryJob): Promise<void> => {
    const keys = [eventKey(job.eventId), endpointKey(job.endpointId), breakerKey(job.endpointId)];
    const [event, endpoint] = await getItems(table, keys);
    const at = Date.now();
    const token = runtime.newId('lease');
    const leased = await write(job, startAttemptInPlace(job, token, at) ?? startAttempt(job, token, at));
    await post(String(endpoint?.url), String(event?.body));
    const made = { number: 1, at, statusCode: 200, durationMs: Date.now() - at, error: null, response: 'ok' };
    await write(job, succeed(leased, made));
  };
};
