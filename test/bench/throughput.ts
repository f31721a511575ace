import { Agent, request } from 'node:http';
import type { DeliveryJob } from '#shared/domain/delivery.ts';
import { announcement } from '#shared/use-cases/announce.ts';
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { makeWorld } from '#test/support/world.ts';
import { inParallel } from './requests.ts';
import { percentile } from './statistics.ts';

/** Deliveries of a round; rounds go in turns, the first of them warms both and is not counted. */
const DELIVERIES = 500;
const ROUNDS = 3;
/** A batch of the queue: what one consumer works on at once. */
const ABREAST = 10;
const BODY = JSON.stringify({ type: 'checkout.paid', data: { note: 'x'.repeat(900) } });

const perSecond = async (count: number, work: (i: number) => Promise<void>): Promise<number> => {
  const startedAt = performance.now();
  for (let i = 0; i < count; i += ABREAST) {
    await Promise.all(Array.from({ length: ABREAST }, (_, k) => work(i + k)));
  }
  return Math.round((count * 1_000) / (performance.now() - startedAt));
};

/** So many POSTs, and nothing else, over connections that stay open: the rate of a round. */
const bareLoop = (url: string, agent: Agent) => (): Promise<number> =>
  perSecond(
    DELIVERIES,
    () =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };
        const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
          answer.resume().once('end', resolve);
        });
        outgoing.once('error', reject);
        outgoing.end(BODY);
      }),
  );

/** A merchant's deliveries, written to the table before the clock runs: the rate of a round. */
const consumer = async (url: string): Promise<() => Promise<number>> => {
  const world = await makeWorld({ startAt: Date.now() });
  const merchant = await world.addBusiness([url]);
  const found = await world.deps.businesses.find(merchant.id);
  if (!found) throw new Error('The bench business is missing.');
  return async () => {
    const jobs: DeliveryJob[] = [];
    await inParallel(DELIVERIES, ABREAST, async () => {
      const { event, deliveries } = announcement(world.deps, found, 'test', 'checkout.paid', { note: 'x'.repeat(900) });
      await world.deps.ledger.record({ event, deliveries });
      jobs.push(...deliveries.map(({ eventId, endpointId }) => ({ eventId, endpointId, attempt: 0, generation: 0 })));
    });
    return perSecond(jobs.length, async (i) => {
      const job = jobs[i];
      if (job) await deliverWebhook(world.deps, 'first', job);
    });
  };
};

/**
 * Deliveries a second of one consumer working on batches of ten, beside a bare HTTP loop that makes the same POSTs: the medians of
 * three rounds in turns, whoever goes first.
 */
export const measureThroughput = async (receiverMs: number) => {
  const receiver = await startReceiver();
  receiver.answer((response) => {
    setTimeout(() => response.writeHead(200).end('ok'), receiverMs);
  });
  const agent = new Agent({ keepAlive: true });
  const sides = [
    { round: bareLoop(receiver.url, agent), rates: [] as number[] },
    { round: await consumer(receiver.url), rates: [] as number[] },
  ];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const rate = await side.round();
      if (round > 0) side.rates.push(rate);
    }
  }
  agent.destroy();
  await receiver.stop();
  const [bare = 0, ours = 0] = sides.map(({ rates }) => percentile(rates, 50));
  return {
    'receiver answers after': `${receiverMs} ms`,
    'bare loop/s': bare,
    'one consumer/s': ours,
    ratio: Number((ours / bare).toFixed(2)),
  };
};
