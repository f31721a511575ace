import { WEBHOOKS, webhookBody } from '#shared/webhooks/contract/webhooks.ts';
import { type EventType, eventType } from '#shared/webhooks/domain/event.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { api, business, endpointId, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

openMerchantForEachTest();

/** Some fields of each example of a checkout event. */
const CHECKOUTS: Partial<Record<EventType, object>> = {
  'checkout.paid': { status: 'paid', paid_amount: 8_500.75, version: 2 },
  'checkout.overpaid': { status: 'paid', paid_amount: 13_500.75, version: 3 },
  'checkout.underpaid': { status: 'underpaid', paid_amount: 5_000 },
  'checkout.payment_rejected': { status: 'pending', paid_amount: 0, payments: [{ outcome: 'rejected' }] },
  'checkout.payment_reversed': { status: 'pending', paid_amount: 0, payments: [{ outcome: 'reversed' }] },
  'checkout.failed': { status: 'failed' },
  'checkout.expired': { status: 'expired' },
};

test.each(eventType.options)(
  'an example of %s is marked as an example, fits its schema, and changes nothing',
  async (type) => {
    const sent = await api.testEndpoint(endpointId, { type });
    expect([sent.status, sent.json.data.type, sent.json.data.example]).toEqual([201, type, true]);
    expect(WEBHOOKS[type].data.safeParse(sent.json.data.data).error).toBeUndefined();
    expect(webhookBody(type).safeParse(sent.json.data).error).toBeUndefined();
    if (CHECKOUTS[type]) expect(sent.json.data.data).toMatchObject(CHECKOUTS[type]);
    expect(await world.takeJobs()).toHaveLength(1);
    for (const kind of ['CHK', 'VA', 'PAY', 'TOT']) expect(await world.itemsOf(kind)).toEqual([]);
    expect((await api.getEvent(sent.json.data.id)).json.data).toMatchObject({ type, example: true });
  },
);

/** The message for a wrong type, in both modes. */
const WRONG_TYPE = `type must be endpoint.test with a live key, and with a test key one of ${eventType.options.join(', ')}.`;

test('a test event without a type is not marked as an example, and an unknown type gets a 422', async () => {
  const { data } = (await api.testEndpoint(endpointId)).json;
  expect([data.type, 'example' in data]).toEqual(['endpoint.test', false]);
  expect((await api.testEndpoint(endpointId, { type: 'checkout.stolen' })).json.errors).toEqual([
    { field: 'type', message: WRONG_TYPE },
  ]);
});

test('a live key can send only endpoint.test as a test event', async () => {
  const live = await world.addBusiness(['https://hooks.example/live'], 'live');
  const client = createApiClient(world, live.keys.secret_live);
  const id = live.endpoints[0]?.id ?? '';
  expect((await client.testEndpoint(id, { type: 'endpoint.test' })).status).toBe(201);
  expect(await client.testEndpoint(id, { type: 'checkout.paid' })).toMatchObject({
    status: 422,
    json: { errors: [{ field: 'type', message: WRONG_TYPE }] },
  });
  expect((await createApiClient(world, business.keys.secret_test).testEndpoint(id)).status).toBe(404);
});
