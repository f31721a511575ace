import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { call, eventually, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const QUEUE_DOWN = { status: 500, body: { __type: 'InternalFailure', message: 'The queue is down.' } } as const;

describe('a local stack with a queue behind a fault proxy', () => {
  const stacks: Stack[] = [];
  const start = async (...args: Parameters<typeof startStack>): Promise<Stack> => {
    const stack = await startStack(...args);
    stacks.push(stack);
    return stack;
  };
  let queue: FaultProxy;
  beforeEach(async () => {
    queue = await startFaultProxy(process.env.AWS_ENDPOINT_URL_SQS ?? '');
  });
  afterEach(async () => {
    await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
    await queue.stop();
  });

  test('delivers the webhook after a restart if it is killed between a landing and its message', async () => {
    const first = await start({ env: { SQS_ENDPOINT: queue.endpoint } });
    const merchant = await openBusiness(first, 'Ada Stores Limited');
    const receiver = await merchant.listen();
    const { reference } = (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data;

    let caught = false;
    queue.inject((operation) => {
      if (operation !== 'SendMessageBatch') return undefined;
      caught = true;
      return 'hang';
    });
    merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } }).catch(() => undefined);
    await eventually('the landing is committed and its send hangs', () => caught);
    await first.kill();
    expect(receiver.received).toHaveLength(0);

    // The new stack's queue is empty, so the delivery is only in the table.
    const second = await start({ dataDir: first.dataDir });
    await eventually('the sweeper delivers the webhook', () => receiver.received.length > 0, 25_000);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'checkout.paid',
      data: { reference },
    });
    const verified = await call(second, 'GET', `/api/v1/checkout/verify/${reference}`, {
      key: merchant.secretTest.key,
    });
    expect(verified.json.data).toMatchObject({ status: 'paid', paid_amount: 8_500.75, version: 2 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(receiver.received).toHaveLength(1);
    await receiver.stop();
  });

  test('delivers the webhook at once after a restart if it is killed with messages in the queue', async () => {
    let sends = 0;
    // The stack's first poll hangs, so that nothing is consumed.
    queue.inject((operation) => {
      if (operation === 'ReceiveMessage') return 'hang';
      if (operation === 'SendMessageBatch') sends += 1;
      return undefined;
    });
    const first = await start({ env: { SQS_ENDPOINT: queue.endpoint } });
    const merchant = await openBusiness(first, 'Ada Stores Limited');
    const receiver = await merchant.listen();
    const { reference } = (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    // The landing sends once and the sweeper again. The sweeper then leaves the delivery alone for five minutes.
    await eventually('the sweeper has sent the delivery to the queue', () => sends >= 2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await first.kill();
    expect(receiver.received).toHaveLength(0);

    const second = await start({ dataDir: first.dataDir });
    await eventually('the webhook arrives', () => receiver.received.length > 0);
    const verified = await call(second, 'GET', `/api/v1/checkout/verify/${reference}`, {
      key: merchant.secretTest.key,
    });
    expect(verified.json.data).toMatchObject({ status: 'paid', version: 2 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(receiver.received).toHaveLength(1);
    await receiver.stop();
  });

  test('lands payments while the queue refuses messages, and delivers every webhook when it recovers', async () => {
    const stack = await start({ env: { SQS_ENDPOINT: queue.endpoint } });
    const merchant = await openBusiness(stack, 'Ada Stores Limited');
    const receiver = await merchant.listen();
    queue.inject((operation) => (operation === 'SendMessageBatch' ? QUEUE_DOWN : undefined));
    const references = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { reference } = (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data;
        const paid = await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
        expect(paid.status).toBe(200);
        return reference;
      }),
    );
    expect(receiver.received).toHaveLength(0);
    queue.inject(() => undefined);
    await eventually('20 webhooks have arrived', () => receiver.received.length >= 20, 40_000);
    const delivered = receiver.received.map(({ body }) => JSON.parse(body).data.reference);
    expect(delivered.sort()).toEqual(references.sort());
    await receiver.stop();
  });
});
