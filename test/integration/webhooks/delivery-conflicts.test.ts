import { delivery } from '#shared/webhooks/domain/delivery.ts';
import { park } from '#shared/webhooks/domain/delivery-transitions.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

/** The answer of DynamoDB to an update while a transaction writes the same item. */
const CONFLICT = {
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
    message: 'Transaction is ongoing for the item',
  },
} as const;

describe('an update of a delivery', () => {
  let proxy: FaultProxy;
  beforeEach(async () => {
    proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  });
  afterEach(() => proxy.stop());

  test('succeeds after a few retries if a redelivery writes the same delivery', async () => {
    const world = await makeWorld({ dynamoDbEndpoint: proxy.endpoint });
    const business = await world.addBusiness(['https://hooks.example/']);
    await landEvents(world.deps, business.id, 1);
    const before = delivery.parse((await world.itemsOf('DLV#'))[0]);
    let conflicts = 0;
    proxy.inject((operation) => {
      if (operation !== 'UpdateItem' || conflicts === 3) return undefined;
      conflicts += 1;
      return CONFLICT;
    });
    const parked = await world.deps.deliveries.apply(before, park({ ...before }, world.clock.now()));
    expect([parked?.state, conflicts]).toEqual(['parked', 3]);
  });
});
