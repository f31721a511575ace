import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Delivery, type DeliveryJob, delivery } from '#shared/webhooks/domain/delivery.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { makeBatch, runFunction } from '#test/support/worlds/function-process.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/** Milliseconds that a merchant's server has for its answer, as api-decisions.md (section 5) promises. Not read from the code under test. */
const ANSWER_LIMIT_MS = 15_000;

describe('the time of an attempt', () => {
  let receiver: Receiver;
  const servers: { stop: () => Promise<void> }[] = [];
  beforeEach(async () => {
    receiver = await startReceiver();
    servers.push(receiver);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  /** Starts a server that accepts connections and never sends a byte, not even a TLS handshake. */
  const startMute = async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push({ stop: async () => void server.close() });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  };

  /** Runs the composed function as it is deployed, in a process of its own with the real clock. */
  const deliver = (world: World, jobs: readonly DeliveryJob[]): Promise<string[]> => {
    const queueUrl = (lane: string) => `${process.env.AWS_ENDPOINT_URL_SQS}/000000000000/${world.table.name}-${lane}`;
    const queues = { RETRY_QUEUE_URL: queueUrl('retry'), SLOW_QUEUE_URL: queueUrl('slow') };
    return runFunction('deliver-webhooks', makeBatch(jobs), { ...queues, TABLE_NAME: world.table.name });
  };

  test('an attempt takes at most 15 s in the composed function, connection included, and ends within its lease', async () => {
    const world = await makeWorld({ startAt: Date.now() });
    const slow = await startReceiver();
    const trickling = await startReceiver();
    servers.push(slow, trickling);
    slow.answer((response) => void setTimeout(() => response.writeHead(200).end('late'), ANSWER_LIMIT_MS - 1_000));
    trickling.answer((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 100);
      response.on('close', () => clearInterval(timer));
    });
    receiver.answer(() => {});
    const urls = { slow: slow.url, silent: receiver.url, trickling: trickling.url, mute: await startMute() };
    const business = await world.addBusiness(Object.values(urls), 'live');
    await landEvents(world.deps, business.id, 1);
    const readStored = async (): Promise<Record<string, Delivery>> => {
      const stored = (await world.itemsOf('DLV#')).map((item) => delivery.parse(item));
      const names = Object.keys(urls);
      const findName = (id: string): string =>
        names[business.endpoints.findIndex((candidate) => candidate.id === id)] ?? id;
      return Object.fromEntries(stored.map((stored) => [findName(stored.endpointId), stored]));
    };

    let ended = false;
    const ran = deliver(world, await world.takeJobs()).finally(() => {
      ended = true;
    });
    let leased = await readStored();
    while (!ended && Object.values(leased).some(({ state }) => state !== 'delivering')) leased = await readStored();
    const printed = await ran;
    const after = await readStored();

    expect(after.slow).toMatchObject({ state: 'succeeded', lastAttempt: { statusCode: 200, response: 'late' } });
    // The status counts. The body is not awaited.
    expect(after.trickling).toMatchObject({ state: 'succeeded', lastAttempt: { statusCode: 200, error: null } });
    expect(after.trickling?.lastAttempt?.durationMs).toBeLessThan(ANSWER_LIMIT_MS);
    for (const name of ['silent', 'mute']) {
      const { state, lastAttempt } = after[name] as Delivery;
      expect([name, state, lastAttempt?.error]).toEqual([name, 'pending', 'No answer within 15 s.']);
      // A timer may ring a millisecond early by the clock.
      expect(lastAttempt?.durationMs).toBeGreaterThanOrEqual(ANSWER_LIMIT_MS - 1);
    }
    for (const [name, { lastAttempt }] of Object.entries(after)) {
      // Time is left to write the result, even if posting began some seconds after the lease.
      const leaseUntil = leased[name]?.leaseUntil ?? 0;
      expect(leaseUntil - (lastAttempt?.at ?? 0)).toBeGreaterThan(ANSWER_LIMIT_MS);
    }
    // The composed function also logs and measures four attempts for operations.
    const lines = printed.map((line) => JSON.parse(line));
    const attempted = lines.filter(({ event }) => event === 'delivery_attempted');
    expect(attempted.map(({ milliseconds }) => milliseconds).toSorted()).toEqual(
      Object.values(after)
        .map(({ lastAttempt }) => lastAttempt?.durationMs)
        .toSorted(),
    );
    const fields =
      'time level message event event_id event_type endpoint_id attempt status_code milliseconds error succeeded';
    for (const line of attempted) expect(Object.keys(line)).toEqual(fields.split(' '));
    expect(lines.filter((line) => line.first_attempt_lag !== undefined)).toHaveLength(4);
    expect(lines.filter((line) => line.delivery_lag !== undefined)).toHaveLength(2);
  });
});
