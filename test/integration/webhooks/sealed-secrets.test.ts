import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import type { Stage } from '#infra/ops/connect.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { DAY } from '#shared/platform/kernel/time.ts';
import type { Keys, ReadKeys } from '#shared/platform/ports.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { WEBHOOK_KEY } from '#test/support/worlds/keys.ts';
import { opsOn, opsPrinted } from '#test/support/worlds/operations.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const NEW = 'the-key-of-webhooks-after-the-rotation';

let world: World;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());
beforeEach(async () => {
  // The verifying library looks at the real clock.
  world = await makeWorld({ startAt: Date.now() });
  receiver.received.length = 0;
});

const keysOf =
  (...keys: Keys): ReadKeys =>
  async () =>
    keys;
const unreadable: ReadKeys = () => Promise.reject(new DependencyUnavailable('Secrets Manager did not answer.'));

const stageUnder = (webhookKeys: ReadKeys): Stage => ({ ...world.deps, webhookKeys, operator: async () => 'amaka' });
/** A business whose merchant has created an endpoint by the API. */
const opened = async (webhookKeys: ReadKeys = world.deps.webhookKeys) => {
  const { keys } = await opsOn(stageUnder(webhookKeys), 'business', 'create', '--name', 'Ada Stores');
  const { key } = keys.find((one: { mode: string; kind: string }) => one.mode === 'test' && one.kind === 'secret');
  const api = apiClient({ ...world, deps: { ...world.deps, webhookKeys } }, key);
  const created = await api.createEndpoint({ url: receiver.url, events: ['*'] });
  return {
    api,
    key: key as string,
    created,
    id: created.json.data?.id as string,
    secret: created.json.data?.secret as string,
  };
};
/** Sends a test event to an endpoint; `webhookKeys`: those that its consumer knows. */
const deliver = async ({ api, id }: Awaited<ReturnType<typeof opened>>, webhookKeys = world.deps.webhookKeys) => {
  expect((await api.testEndpoint(id, {})).status).toBe(201);
  const job = await world.takeJob();
  await deliverWebhook({ ...world.deps, webhookKeys }, 'test', job);
};
/** Which of these secrets the last webhook was signed with. */
const signers = (...secrets: string[]): boolean[] => {
  const { body = '', headers = {} } = receiver.received.at(-1) ?? {};
  return secrets.map((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
};
const storedSecrets = async (id: string): Promise<string[]> =>
  ((await world.deps.businesses.findEndpoint(id))?.secrets ?? []).map(({ secret }) => secret);
/** Stores other secrets, as whoever may write the table can. */
const store = async (id: string, secrets: string[]): Promise<void> => {
  const [item] = (await world.itemsOf('WHE')).filter((one) => one.id === id);
  const Item = { ...item, secrets: secrets.map((secret) => ({ secret, until: null })) };
  await inNoRole(() => world.table.client.send(new PutCommand({ TableName: world.table.name, Item })));
};

describe('a webhook secret', () => {
  test('stands nowhere in the table, neither when it is made nor when it is rotated, and signs what is delivered', async () => {
    const shop = await opened();
    await deliver(shop);
    expect(signers(shop.secret)).toEqual([true]);
    const rotated = (await shop.api.rotateSecret(shop.id, {})).json.data.secret;
    await deliver(shop);
    expect(signers(rotated, shop.secret)).toEqual([true, true]);
    const table = JSON.stringify(await world.itemsOf(''));
    for (const secret of [shop.secret, rotated]) {
      expect(secret).toMatch(/^whsec_/);
      expect(table).not.toContain(secret.slice('whsec_'.length));
    }
    expect(table).not.toContain('whsec_');
    world.clock.advance(DAY);
    await deliver(shop);
    expect(world.logged.map(({ event }) => event)).not.toContain('message_failed');
  });

  test('is sealed anew after a rotation of the key, with each secret that signs, and then needs the old key no more', async () => {
    const shop = await opened();
    const rotated = (await shop.api.rotateSecret(shop.id, {})).json.data.secret;
    const both = keysOf(NEW, WEBHOOK_KEY);
    await deliver(shop, both);
    expect(signers(rotated, shop.secret)).toEqual([true, true]);
    const stage = stageUnder(both);
    expect(await opsOn(stage, 'endpoint', 'seal')).toEqual({ endpoints: 1, sealed: 1, unreadable: [] });
    await deliver(shop, keysOf(NEW));
    expect(signers(rotated, shop.secret)).toEqual([true, true]);
    expect(await opsOn(stage, 'endpoint', 'seal')).toEqual({ endpoints: 1, sealed: 0, unreadable: [] });
    const { changes } = await opsOn(stage, 'audit', 'list');
    expect(
      changes.map(({ what }: { what: string }) => what).filter((what: string) => what.startsWith('sealed')),
    ).toEqual([`sealed the secrets of the test webhook endpoint ${shop.id} with the stage's current key`]);
  });

  test('that is sealed with a key newer than those that a container knows is opened with the newest', async () => {
    const shop = await opened(keysOf(NEW));
    const asked: boolean[] = [];
    await deliver(shop, async ({ refresh = false } = {}) => {
      asked.push(refresh);
      return refresh ? [NEW, WEBHOOK_KEY] : [WEBHOOK_KEY];
    });
    expect(asked).toEqual([false, true]);
    expect(signers(shop.secret)).toEqual([true]);
  });

  test('of another endpoint, copied in the table, signs nothing: the webhook waits, and nothing counts as an attempt', async () => {
    const [shop, other] = [await opened(), await opened()];
    await store(other.id, await storedSecrets(shop.id));
    await expect(deliver(other)).rejects.toThrow(`A secret of the webhook endpoint ${other.id} cannot be opened.`);
    expect(receiver.received).toEqual([]);
    expect(await world.delivery()).toMatchObject({ state: 'pending', attempt: 0 });
  });

  test('whose key is lost is named by the operator’s command, which seals the others', async () => {
    const [lost, kept] = [await opened(keysOf('the-key-of-a-stage-that-nobody-knows-any-more')), await opened()];
    const before = await storedSecrets(kept.id);
    const stage = stageUnder(keysOf(NEW, WEBHOOK_KEY));
    await expect(opsPrinted(stage, 'endpoint', 'seal')).rejects.toThrow(
      `A secret of these endpoints cannot be opened, so nothing is delivered to them: ${lost.id}.`,
    );
    expect(await storedSecrets(kept.id)).not.toEqual(before);
    await opsOn(stage, 'endpoint', 'rotate', lost.id, '--grace', '0');
    expect(await opsOn(stage, 'endpoint', 'seal')).toEqual({ endpoints: 2, sealed: 0, unreadable: [] });
  });

  test('is not made while the keys cannot be read: nothing changes, and the request may be repeated', async () => {
    const refused = await opened(unreadable);
    expect([refused.created.status, refused.created.json.code]).toEqual([503, 'service_unavailable']);
    expect(await world.itemsOf('WHE')).toEqual([]);
    const shop = await opened();
    const before = await storedSecrets(shop.id);
    const api = apiClient({ ...world, deps: { ...world.deps, webhookKeys: unreadable } }, shop.key);
    expect((await api.rotateSecret(shop.id, {})).status).toBe(503);
    expect(await storedSecrets(shop.id)).toEqual(before);
  });

  test('waits with its webhook while the keys cannot be read, and is not lost', async () => {
    const shop = await opened();
    await expect(deliver(shop, unreadable)).rejects.toMatchObject({ name: 'DependencyUnavailable' });
    expect(await world.delivery()).toMatchObject({ state: 'pending', attempt: 0 });
    expect(receiver.received).toEqual([]);
  });
});
