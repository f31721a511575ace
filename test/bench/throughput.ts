import { Agent, request } from 'node:http';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { breakerKey, deliveryKey, endpointKey, eventKey, inDueWork } from '#shared/adapters/dynamodb/keys.ts';
import { sharedReads } from '#shared/adapters/dynamodb/shared-reads.ts';
import { updateOf } from '#shared/adapters/dynamodb/update-expression.ts';
import type { Business } from '#shared/domain/business.ts';
import { claim, type Delivery, type DeliveryJob, jobOf, succeed } from '#shared/domain/delivery.ts';
import type { Transition } from '#shared/domain/transition.ts';
import { announcement } from '#shared/use-cases/announce.ts';
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { makeWorld, type World } from '#test/support/world.ts';
import { inParallel } from './requests.ts';
import { percentile } from './statistics.ts';

/** Deliveries of a round; rounds go in turns, the first of them warms all and is not counted. */
const DELIVERIES = 500;
const ROUNDS = 3;
/** A batch of the queue: what one consumer works on at once. */
const ABREAST = 10;
const NOTE = 'x'.repeat(900);
const BODY = JSON.stringify({ type: 'checkout.paid', data: { note: NOTE } });

/** The rate of a round. */
type Round = () => Promise<number>;

const perSecond = async (count: number, work: (i: number) => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  for (let i = 0; i < count; i += ABREAST) {
    await Promise.all(Array.from({ length: ABREAST }, (_, k) => work(i + k)));
  }
  return Math.round((count * 1_000) / (performance.now() - startedAt));
};

const poster = (url: string, agent: Agent) => (): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().once('end', resolve);
    });
    outgoing.once('error', reject);
    outgoing.end(BODY);
  });
type Post = ReturnType<typeof poster>;

/** So many POSTs, and nothing else, over connections that stay open. */
const bareLoop =
  (post: Post): Round =>
  () =>
    perSecond(DELIVERIES, post);

/** A round over deliveries of one merchant, which are written to the table before the clock runs. */
const consuming =
  (world: World, merchant: Business, work: (job: DeliveryJob) => Promise<unknown>): Round =>
  async () => {
    const jobs: DeliveryJob[] = [];
    await inParallel(DELIVERIES, ABREAST, async () => {
      const { event, deliveries } = announcement(world.deps, merchant, 'test', 'checkout.paid', { note: NOTE });
      await world.deps.ledger.record({ event, deliveries });
      jobs.push(...deliveries.map(jobOf));
    });
    return perSecond(jobs.length, async (i) => {
      const job = jobs[i];
      if (job) await work(job);
    });
  };

/**
 * The least that a consumer does which makes one attempt at a time (architecture.md section 5): the read of a batch, a conditional
 * write before each POST and one after it. The calls of the service at the same units; no rule, schema, signature or log line.
 */
const claimAndPost = ({ table, deps }: World, post: Post) => {
  const readTogether = sharedReads(table);
  const write = async (job: DeliveryJob, transition: Transition<Delivery>): Promise<Delivery> => {
    const Key = deliveryKey(job.eventId, job.endpointId);
    const place = { gsi2pk: null, gsi2sk: null, ...inDueWork(Key, transition.set.dueAt ?? null, table.dueShards) };
    const command = { TableName: table.name, Key, ...updateOf(transition, place), ReturnValues: 'ALL_NEW' as const };
    const { Attributes } = await table.client.send(new UpdateCommand(command));
    return Attributes as Delivery;
  };
  return async (job: DeliveryJob): Promise<void> => {
    await readTogether([eventKey(job.eventId), endpointKey(job.endpointId), breakerKey(job.endpointId)]);
    const at = Date.now();
    const claimed = await write(job, claim(job, deps.newId('lease'), at));
    await post();
    const made = { number: 1, at, statusCode: 200, durationMs: Date.now() - at, error: null, response: 'ok' };
    await write(job, succeed(claimed, made));
  };
};

/**
 * Deliveries a second of one consumer working on batches of ten, beside a bare HTTP loop that makes the same POSTs, and beside one
 * that also makes the same calls to the table: the medians of three rounds in turns, whoever goes first.
 */
export const measureThroughput = async (receiverMs: number) => {
  const receiver = await startReceiver();
  receiver.answer((response) => {
    setTimeout(() => response.writeHead(200).end('ok'), receiverMs);
  });
  const agent = new Agent({ keepAlive: true });
  const post = poster(receiver.url, agent);
  const world = await makeWorld({ startAt: Date.now() });
  const { id } = await world.addBusiness([receiver.url]);
  const merchant = await world.deps.businesses.find(id);
  if (!merchant) throw new Error('The bench business is missing.');
  const sides = [
    bareLoop(post),
    consuming(world, merchant, claimAndPost(world, post)),
    consuming(world, merchant, (job) => deliverWebhook(world.deps, 'first', job)),
  ].map((round) => ({ round, rates: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const rate = await side.round();
      if (round > 0) side.rates.push(rate);
    }
  }
  agent.destroy();
  await receiver.stop();
  const [bare = 0, claiming = 0, ours = 0] = sides.map(({ rates }) => percentile(rates, 50));
  return {
    'receiver answers after': `${receiverMs} ms`,
    'one consumer/s': ours,
    'bare loop/s': bare,
    ratio: Number((ours / bare).toFixed(2)),
    'bare loop with our table calls/s': claiming,
    'ratio to that': Number((ours / claiming).toFixed(2)),
  };
};
