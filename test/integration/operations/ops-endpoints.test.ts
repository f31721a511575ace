import type { Stage } from '#infra/ops/connect.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { openSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { WEBHOOK_KEY } from '#test/support/worlds/keys.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const UNKNOWN = 'whe_01KDVDNX1Q9M3R6T8W2Y5A7C4E';

let world: World;
let stage: Stage;
beforeAll(async () => {
  world = await makeWorld();
  stage = { ...world.deps, operator: async () => 'amaka' };
});

const ops = (...args: string[]) => runOpsAsJson(stage, 'endpoint', ...args);
const newBusiness = async () => {
  const business = await world.addBusiness(['https://ada.example/hooks?token=s3cret', 'https://ada.example/other']);
  const [id = '', other = ''] = business.endpoints.map((endpoint) => endpoint.id);
  return { business, id, other, api: createApiClient(world, business.keys.secret_test) };
};
const stored = async (id: string) => {
  const endpoint = await world.deps.businesses.findEndpoint(id);
  return endpoint && endpointView(endpoint);
};
const whatChanged = async (businessId: string): Promise<string[]> =>
  (await runOpsAsJson(stage, 'audit', 'list', businessId)).changes.map(({ what }: { what: string }) => what);

describe('endpoint show', () => {
  test('shows an endpoint with its business, its health and its waiting deliveries, but no secret', async () => {
    const { business, id } = await newBusiness();
    const data = await stored(id);
    expect(await ops('show', id)).toEqual({
      business: { id: business.id, name: 'Ada Stores Limited' },
      endpoint: {
        ...data,
        health: 'well',
        failures: 0,
        failing_since: null,
        parked: 0,
        exhausted: 0,
        replaced_secret_until: null,
      },
    });
    const text = await runOpsAsText(stage, 'endpoint', 'show', id);
    expect(text).toMatch(/^ {2}business +Ada Stores Limited \(biz_\w{26}\)$/m);
    expect(text).toMatch(/^ {2}signed with +one secret$/m);
    expect(text).not.toContain('whsec_');
    await expect(ops('show', UNKNOWN)).rejects.toThrow(`There is no webhook endpoint ${UNKNOWN}.`);
    await expect(ops('show', 'ada')).rejects.toThrow('That is not the id of a webhook endpoint.');
  });
});

describe('the endpoint commands', () => {
  test('update an endpoint without using the limit of its business, and record no path of its URL', async () => {
    const { business, id } = await newBusiness();
    const url = 'https://ada.example/new?token=t0ken';
    for (let n = 0; n < 12; n++) await ops('update', id, '--url', `${url}${n}`);
    await ops('update', id, '--url', url);
    const { endpoint } = await ops('update', id, '--events', 'checkout.paid, checkout.failed,checkout.paid');
    expect(endpoint).toMatchObject({ url, events: ['checkout.paid', 'checkout.failed'] });
    expect(await stored(id)).toEqual(endpoint);
    const known = (await whatChanged(business.id)).length;
    await ops('update', id, '--events', 'checkout.paid,checkout.failed');
    const changes = await whatChanged(business.id);
    expect(changes).toHaveLength(known);
    expect(changes).toContain(`changed the test webhook endpoint ${id}: it posts to another URL at ada.example`);
    expect(changes).toContain(
      `changed the test webhook endpoint ${id}: it gets checkout.paid, checkout.failed instead of *`,
    );
    expect(JSON.stringify(changes)).not.toContain('t0ken');
    await expect(ops('update', id)).rejects.toThrow('Give what to change');
    await expect(ops('update', id, '--events', ',')).rejects.toThrow('No event type is given.');
    await expect(ops('update', id, '--events', '*,checkout.paid')).rejects.toThrow('Give either * or a list of types.');
    await expect(ops('update', id, '--events', 'checkout.payed')).rejects.toThrow(
      'Unknown event types: checkout.payed.',
    );
    await expect(ops('update', id, '--url', 'ada')).rejects.toThrow(/^url /);
    expect(await whatChanged(business.id)).toEqual(changes);
  });

  test('switch an endpoint off, which is announced to the other endpoints, and on again', async () => {
    const { business, id, other, api } = await newBusiness();
    await world.takeJobs();
    const { endpoint } = await ops('disable', id);
    expect(endpoint).toMatchObject({ enabled: false, disabled_reason: 'Switched off by an operator.' });
    expect(await world.takeJobs()).toMatchObject([{ endpointId: other }]);
    expect((await api.listEvents()).json.data[0]).toMatchObject({ type: 'endpoint.disabled', data: endpoint });
    await ops('disable', id);
    expect((await ops('enable', id)).endpoint).toMatchObject({ enabled: true, disabled_reason: null });
    expect(await world.takeJobs()).toEqual([]);
    expect(await whatChanged(business.id)).toHaveLength(2);
  });

  test('give an endpoint a new secret, while the old one signs until its grace ends', async () => {
    const { business, id } = await newBusiness();
    const { endpoint } = await ops('rotate', id, '--grace', '30m');
    expect(endpoint.secret).toMatch(/^whsec_/);
    const { secrets } = (await world.deps.businesses.findEndpoint(id)) ?? {};
    const until = world.clock.now() + 30 * MINUTE;
    expect(secrets?.map((stored) => ({ ...stored, secret: openSecret([WEBHOOK_KEY], id, stored.secret) }))).toEqual([
      { secret: endpoint.secret, until: null },
      { secret: business.secrets[0], until },
    ]);
    const at = `${new Date(until).toISOString().slice(0, -1)}000Z`;
    expect((await ops('show', id)).endpoint.replaced_secret_until).toBe(at);
    expect(await runOpsAsText(stage, 'endpoint', 'rotate', id, '--grace', '0')).toContain(
      'The old secret no longer signs webhooks.',
    );
    expect((await world.deps.businesses.findEndpoint(id))?.secrets).toHaveLength(1);
    await expect(ops('rotate', id, '--grace', '8d')).rejects.toThrow('between 0 and 7 days');
    const changes = await whatChanged(business.id);
    expect(changes).toHaveLength(2);
    expect(JSON.stringify(changes)).not.toContain('whsec_');
  });

  test('delete an endpoint', async () => {
    const { business, id } = await newBusiness();
    expect((await ops('delete', id)).endpoint.id).toBe(id);
    expect(await world.deps.businesses.findEndpoint(id)).toBeUndefined();
    await expect(ops('delete', id)).rejects.toThrow(`There is no webhook endpoint ${id}.`);
    expect(await whatChanged(business.id)).toEqual([`deleted the test webhook endpoint ${id} at ada.example`]);
  });

  test('send an example event only in test mode, and record that it was sent', async () => {
    const { business, id } = await newBusiness();
    const { event } = await ops('test', id, '--type', 'checkout.paid');
    expect(event).toMatchObject({ type: 'checkout.paid', example: true, data: { status: 'paid' } });
    expect(await whatChanged(business.id)).toContain(
      `asked to send an example of checkout.paid to the test webhook endpoint ${id}`,
    );
    expect(await runOpsAsText(stage, 'endpoint', 'test', id, '--type', 'checkout.paid')).toContain(
      'The example of checkout.paid evt_',
    );
    const to = ['--business', business.id, '--mode', 'live', '--url', 'https://ada.example/live'];
    const live = (await ops('create', ...to)).endpoint.id;
    const before = await whatChanged(business.id);
    await expect(ops('test', live, '--type', 'checkout.paid')).rejects.toThrow(
      'type must be endpoint.test with a live key, and with a test key one of checkout.paid, ',
    );
    expect(await whatChanged(business.id)).toEqual(before);
  });

  test('send a test event, unless the endpoint is switched off or its send limit is reached', async () => {
    const { business, id, other } = await newBusiness();
    await world.takeJobs();
    const { event } = await ops('test', id);
    expect(event).toMatchObject({ type: 'endpoint.test', business_id: business.id });
    expect(await world.takeJobs()).toMatchObject([{ eventId: event.id, endpointId: id, byHand: true }]);
    expect(await whatChanged(business.id)).toEqual([`asked to send a test event to the test webhook endpoint ${id}`]);
    await ops('disable', other);
    await expect(ops('test', other)).rejects.toThrow('switched off. Enable it first.');
    for (let n = 1; n < 60; n++) await ops('test', id);
    await expect(ops('test', id)).rejects.toThrow(
      /^whe_\w+ has reached its limit\. Run the command again in \d+ seconds\.$/,
    );
  });
});
