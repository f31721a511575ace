import type { Mode } from '#shared/platform/kernel/mode.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import type { RecordedStage } from './stage.ts';
import { expectStatus, sendTwice } from './steps.ts';

/** Plays the life of a webhook endpoint in both modes, whose queues differ. */
export const webhooks = async (stage: RecordedStage): Promise<void> => {
  await playEndpoint(stage, 'test');
  await playEndpoint(stage, 'live');
};

/** Plays the life of a webhook endpoint: it fails, its deliveries are parked, drained and recovered, and it is slow, gone, disabled and deleted. */
const playEndpoint = async (stage: RecordedStage, mode: Mode): Promise<void> => {
  const ask = expectStatus((await stage.openBusiness('Bola Fashion Limited'))(mode));
  const receiver = await startReceiver();
  const createEndpoint = async (): Promise<string> => {
    const { data } = await ask(201, 'POST', '/webhook-endpoints', { url: receiver.url, events: ['*'] });
    return `/webhook-endpoints/${data.id}`;
  };
  const endpoint = await createEndpoint();
  const sibling = await createEndpoint();
  const sendTests = async (count: number): Promise<string> => {
    let id = '';
    for (let i = 0; i < count; i++) id = (await sendTwice(ask, 201, 'POST', `${endpoint}/test`)).data.id;
    return id;
  };
  const answerWith = (status: number): void => receiver.answer((response) => response.writeHead(status).end());
  const pass = async (milliseconds: number): Promise<void> => {
    stage.clock.advance(milliseconds);
    await stage.sweep();
    await stage.deliver();
  };

  await ask(200, 'GET', endpoint);
  await ask(200, 'GET', '/webhook-endpoints');
  await ask(200, 'POST', `${endpoint}/rotate-secret`, {});
  await ask(200, 'PATCH', endpoint, { url: receiver.url });
  const event = await sendTests(1);
  await stage.deliver();
  await sendTwice(ask, 202, 'POST', `/events/${event}/redeliver`, {});
  await ask(202, 'POST', `/events/${event}/redeliver`, { endpoint_id: sibling.split('/').at(-1) });
  // Send all at once: only one request renews the delivery, and the others read what it wrote.
  await Promise.all(Array.from({ length: 8 }, () => ask(202, 'POST', `/events/${event}/redeliver`, {})));
  await stage.deliver();

  // Send all at once: they fail together and conflict at the breaker.
  answerWith(500);
  await sendTests(8);
  await stage.deliver();
  await sendTests(3);
  await stage.deliver();
  // After an hour without a result the canary is replaced, and the next one fails.
  await pass(HOUR);
  await ask(200, 'GET', `${endpoint}/deliveries?status=parked`);
  await ask(200, 'GET', `${endpoint}/deliveries?status=exhausted`);
  await sendTwice(ask, 202, 'POST', `${endpoint}/recover`, { since: new Date(Date.now() - DAY).toISOString() });
  receiver.answer((response) => {
    stage.clock.advance(6 * SECOND);
    response.writeHead(200).end();
  });
  await pass(MINUTE);
  await pass(DAY);
  // A drain step finds nothing parked for the second time, so the drain ends, and in live mode the owners are notified.
  await pass(MINUTE);
  // The answer took six seconds: the next delivery uses the slow queue.
  await sendTests(1);
  await stage.deliver();
  await sendTests(1);
  await stage.deliver();

  // 410 twice, an hour apart: the endpoint is disabled, and the other endpoint is notified.
  answerWith(410);
  await sendTests(1);
  await stage.deliver();
  await pass(2 * HOUR);
  await pass(2 * HOUR);
  await ask(200, 'PATCH', endpoint, { enabled: true });
  await ask(200, 'PATCH', endpoint, { enabled: false });
  receiver.answer((response) => response.writeHead(200).end());
  await pass(MINUTE);
  await ask(200, 'PATCH', endpoint, { enabled: true });
  await sendTests(1);
  await ask(200, 'DELETE', endpoint);
  await stage.deliver();
  await receiver.stop();
};
