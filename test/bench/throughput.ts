import { Agent } from 'node:http';
import type { Business } from '#shared/domain/businesses/business.ts';
import { type DeliveryJob, jobOf } from '#shared/domain/webhooks/delivery.ts';
import { announcement } from '#shared/use-cases/webhooks/announce.ts';
import { deliverWebhook } from '#shared/use-cases/webhooks/deliver-webhook.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';
import { leaseAndPost, type Post, poster } from './bare-consumer.ts';
import { inParallel } from './requests.ts';
import { percentile } from './statistics.ts';

/** Deliveries of a round. Rounds alternate; the first one is a warm-up and is not counted. */
const DELIVERIES = 500;
const ROUNDS = 3;
/** Messages of a batch, which one consumer handles at once. */
const BATCH_SIZE = 10;
const NOTE = 'x'.repeat(900);
const BODY = JSON.stringify({ type: 'checkout.paid', data: { note: NOTE } });

/** The rate of a round. */
type Round = () => Promise<number>;

const perSecond = async (count: number, work: (i: number) => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  for (let i = 0; i < count; i += BATCH_SIZE) {
    await Promise.all(Array.from({ length: BATCH_SIZE }, (_, k) => work(i + k)));
  }
  return Math.round((count * 1_000) / (performance.now() - startedAt));
};

/** Sends DELIVERIES POSTs over connections that stay open, and does nothing else. */
const bareLoop =
  (post: Post, url: string): Round =>
  () =>
    perSecond(DELIVERIES, () => post(url, BODY));

/** A round over deliveries of one merchant, which are written to the table before the measurement starts. */
const consuming =
  (world: World, merchant: Business, work: (job: DeliveryJob) => Promise<unknown>): Round =>
  async () => {
    const jobs: DeliveryJob[] = [];
    await inParallel(DELIVERIES, BATCH_SIZE, async () => {
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
 * Deliveries a second of one consumer working on batches of ten, beside a bare HTTP loop that makes the same POSTs, and beside one
 * that also makes the same calls to the table: the medians of three rounds in turns, whoever goes first.
 */
export const measureThroughput = async (receiverMs: number) => {
  const receiver = await startReceiver();
  receiver.answer((response) => {
    setTimeout(() => response.writeHead(200).end('ok'), receiverMs);
  });
  const agent = new Agent({ keepAlive: true });
  const post = poster(agent);
  const world = await makeWorld({ startAt: Date.now() });
  const { id } = await world.addBusiness([receiver.url]);
  const merchant = await world.deps.businesses.find(id);
  if (!merchant) throw new Error('The bench business is missing.');
  const sides = [
    bareLoop(post, receiver.url),
    consuming(world, merchant, leaseAndPost(world.table, post)),
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
  const [bare = 0, leasing = 0, ours = 0] = sides.map(({ rates }) => percentile(rates, 50));
  return {
    'receiver answers after': `${receiverMs} ms`,
    'one consumer/s': ours,
    'bare loop/s': bare,
    ratio: Number((ours / bare).toFixed(2)),
    'bare loop with our table calls/s': leasing,
    'ratio to that': Number((ours / leasing).toFixed(2)),
  };
};
