import type { SQSEvent } from 'aws-lambda';
import { type Loop, startPoller } from '#infra/local/lambda/poller.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { webhookPoster } from '#shared/webhooks/http-out/webhook-poster.ts';

import { landEvents } from '#test/support/emulators/landed-events.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { deliverWebhooks } from '#test/support/worlds/handlers.ts';
import { createGate } from '#test/support/worlds/live-faults.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/** The number of batches that the consumers of one queue take at once, and the size of a batch. */
const [BATCHES, BATCH] = [2, 10];
/** More messages than the consumers take at once. */
const FLOOD = 3 * BATCHES * BATCH;
const LIVE = 5;

describe('webhooks of test mode', () => {
  let world: World;
  let receivers: [test: Receiver, live: Receiver];

  beforeEach(async () => {
    world = await makeWorld();
    receivers = [await startReceiver(), await startReceiver()];
  });
  afterEach(async () => {
    await Promise.all(receivers.map((receiver) => receiver.stop()));
  });

  test('wait in the test queue as first attempts, as retries, from the sweeper and for slow endpoints', async () => {
    const [receiver] = receivers;
    const { id } = await world.addBusiness([receiver.url]);
    const onlyInTest = async () => {
      expect(await world.takeJobs('first', 'retry', 'slow')).toEqual([]);
      return world.takeJob('test');
    };
    await landEvents(world.deps, id, 1);
    const first = await onlyInTest();
    // The attempt takes six seconds and fails. The retry is sent without a delay, so that it is in its queue at once.
    receiver.answer((response) => {
      world.clock.advance(6 * SECOND);
      response.writeHead(500).end();
    });
    const { queue } = world.deps;
    const undelayed: typeof queue = { send: (lane, jobs) => queue.send(lane, jobs) };
    await deliverWebhook({ ...world.deps, queue: undelayed }, 'test', first);
    expect(await onlyInTest()).toMatchObject({ attempt: 1 });
    await world.sweepAfter(MINUTE);
    const swept = await onlyInTest();
    expect(swept).toMatchObject({ attempt: 1 });
    // The endpoint is slow now, but the delivery is still attempted from the test queue.
    receiver.answer((response) => response.end('ok'));
    await deliverWebhook(world.deps, 'test', swept);
    expect(receiver.received).toHaveLength(2);
    expect(await world.takeJobs()).toEqual([]);
  });

  test('delay no live webhook, however many there are and however long their endpoint takes', async () => {
    const [test, live] = receivers;
    const flooding = await world.addBusiness([test.url]);
    const paying = await world.addBusiness([live.url], 'live');
    // The endpoint of test mode answers only after every live webhook has arrived.
    const { open: arrived, opened: allArrived } = createGate();
    test.answer(async (response) => {
      await allArrived;
      response.end('ok');
    });
    live.answer((response) => {
      response.end('ok');
      if (live.received.length === LIVE) arrived();
    });
    await landEvents(world.deps, flooding.id, FLOOD);
    await landEvents(world.deps, paying.id, LIVE);

    const urls = world.queueUrls;
    // The timeout is longer than the test, so no attempt ends meanwhile.
    const post = webhookPoster({ timeoutMs: 10 * MINUTE, targets: 'any' });
    const handler = deliverWebhooks({ ...world.deps, post }, urls);
    const invoke = (event: unknown): Promise<unknown> => handler(event as SQSEvent);
    const pollers: Loop[] = Object.values(urls).map((url) => startPoller({ invoke }, url, BATCH, BATCHES));
    try {
      await allArrived;
      const attempted = world.loggedLines('delivery_attempted');
      expect(attempted.filter(({ endpoint_id }) => endpoint_id === flooding.endpoints[0]?.id)).toEqual([]);
    } finally {
      arrived();
      await Promise.all(pollers.map((poller) => poller.stop()));
    }
  });
});
