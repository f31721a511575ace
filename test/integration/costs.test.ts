import { readFile } from 'node:fs/promises';
import { afterFailure, wellBreaker } from '#shared/domain/breaker.ts';
import type { DeliveryJob } from '#shared/domain/delivery.ts';
import { deliverWebhook } from '#shared/use-cases/deliver-webhook.ts';
import { tendBreaker } from '#shared/use-cases/tend-breaker.ts';
import { apiClient } from '#test/support/api-client.ts';
import { type Metered, startMeter } from '#test/support/meter.ts';
import { type Receiver, startReceiver } from '#test/support/receiver.ts';
import { sweepDueWork } from '#test/support/sweep.ts';
import { makeWorld, type World } from '#test/support/world.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const HEALTHY_LANDING_WRITES = 20;

/** The row of the page's table for a step: DynamoDB calls, read units, write units. */
const row = (step: string, ...metered: Record<string, Metered>[]): string => {
  const sum = (of: keyof Metered): number =>
    metered.flatMap(Object.values<Metered>).reduce((total, one) => total + one[of], 0);
  return `| ${step} | ${sum('calls')} | ${sum('readUnits')} | ${sum('writeUnits')} |`;
};

describe('what a step costs in DynamoDB, as infra/docs/costs.md counts with it', () => {
  let meter: Awaited<ReturnType<typeof startMeter>>;
  let receiver: Receiver;
  let world: World;
  let business: Awaited<ReturnType<World['addBusiness']>>;
  let api: ReturnType<typeof apiClient>;
  let page: string;

  beforeEach(async () => {
    meter = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    receiver = await startReceiver();
    world = await makeWorld({ dynamoDbEndpoint: meter.endpoint });
    business = await world.addBusiness([receiver.url]);
    api = apiClient(world, business.keys.secret_test);
    page = await readFile('infra/docs/costs.md', 'utf8');
    meter.take();
  });
  afterEach(async () => {
    await receiver.stop();
    await meter.stop();
  });

  const deliver = (job: DeliveryJob) => deliverWebhook(world.deps, 'first', job);
  const land = async (): Promise<DeliveryJob> => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    await api.simulate({ reference });
    const [job] = await world.takeJobs();
    if (!job) throw new Error('The landing queued no delivery.');
    meter.take();
    return job;
  };

  test('a healthy payment, from its checkout to its webhook', async () => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    expect(page).toContain(row('Checkout initialized (test mode)', meter.take()));
    await api.simulate({ reference });
    const landing = meter.take();
    expect(page).toContain(row('Money landed, one endpoint', landing));
    const [job] = await world.takeJobs();
    if (job) await deliver(job);
    const delivery = meter.take();
    expect(page).toContain(row('Delivered at the first attempt', delivery));
    const writes = [landing, delivery].flatMap((step) => Object.values(step).map(({ writeUnits }) => writeUnits));
    expect(writes.reduce((total, units) => total + units, 0)).toBeLessThanOrEqual(HEALTHY_LANDING_WRITES);

    await api.verify(reference);
    expect(page).toContain(row('Checkout verified', meter.take()));
    await api.listCheckouts();
    expect(page).toContain(row('A list of one', meter.take()));
  });

  test('an attempt that fails', async () => {
    const job = await land();
    receiver.answer((response) => response.writeHead(500).end());
    await deliver(job);
    expect(page).toContain(row('An attempt that failed', meter.take()));
  });

  test('a delivery that is parked, kept safe for a day, let go and delivered', async () => {
    const job = await land();
    const [endpoint] = business.endpoints;
    const seen = { eventId: world.deps.newId('evt'), endedAt: world.clock.now(), durationMs: 10, statusCode: 500 };
    let breaker = wellBreaker(endpoint?.id ?? '');
    for (let i = 0; i < 5; i++) breaker = afterFailure(breaker, seen, world.clock.now() + 3_600_000);
    await world.deps.breakers.save({ ...breaker, version: 1 });
    meter.take();

    await deliver(job);
    expect(page).toContain(row('Parked', meter.take()));
    expect(receiver.received).toHaveLength(0);

    // A canary that is found alive keeps the rest parked; a day later the safety net looks at each of them once.
    world.clock.advance(86_400_001);
    await world.deps.breakers.save({ ...breaker, dueAt: null, version: 2 });
    meter.take();
    await sweepDueWork(world.deps, world.clock.now() + 60_000);
    const { Query: _, ...taking } = meter.take();
    const [woken] = await world.takeJobs();
    if (woken) await deliver(woken);
    const parkedAgain = meter.take();
    expect(page).toContain(row('Looked at by the safety net, once a day', taking, parkedAgain));

    await world.deps.breakers.save({ ...breaker, state: 'draining', drain: 60, canary: null, dueAt: 0, version: 3 });
    meter.take();
    await tendBreaker(world.deps, endpoint?.id ?? '');
    const { GetItem: __, ...drained } = meter.take();
    const { Query: ___, PutItem: ____, BatchGetItem: read, ...freed } = drained;
    expect(read?.calls).toBe(1);
    expect(page).toContain(row('Let go again', freed));
    const [going] = await world.takeJobs();
    if (going) await deliver(going);
    expect(receiver.received).toHaveLength(1);
  });
});
