import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import type { Stage } from '#infra/ops/connect.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { DAY } from '#shared/platform/kernel/time.ts';
import type { Keys, ReadKeys } from '#shared/platform/ports.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { deliverWebhook } from '#test/support/worlds/functions.ts';
import { WEBHOOK_KEY } from '#test/support/worlds/keys.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
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
  // The verifying library uses the real clock.
  world = await makeWorld({ startAt: Date.now() });
  receiver.received.length = 0;
});

const keyReader =
  (...keys: Keys): ReadKeys =>
  async () =>
    keys;
const unreadable: ReadKeys = () => Promise.reject(new DependencyUnavailable('Secrets Manager did not answer.'));

const stageWith = (webhookKeys: ReadKeys): Stage => ({ ...world.deps, webhookKeys, operator: async () => 'amaka' });
/** Opens a business and creates an endpoint through the API. */
const openShop = async (webhookKeys: ReadKeys = world.deps.webhookKeys) => {
  const { keys } = await runOpsAsJson(stageWith(webhookKeys), 'business', 'create', '--name', 'Ada Stores');
  const { key } = keys.find(({ mode, kind }: { mode: string; kind: string }) => mode === 'test' && kind === 'secret');
  const api = createApiClient({ ...world, deps: { ...world.deps, webhookKeys } }, key);
  const created = await api.createEndpoint({ url: receiver.url, events: ['*'] });
  return {
    api,
    key: key as string,
    created,
    id: created.json.data?.id as string,
    secret: created.json.data?.secret as string,
  };
};
/** Sends a test event to an endpoint. `webhookKeys`: the keys that the consumer reads. */
const deliver = async ({ api, id }: Awaited<ReturnType<typeof openShop>>, webhookKeys = world.deps.webhookKeys) => {
  expect((await api.testEndpoint(id, {})).status).toBe(201);
  const job = await world.takeJob();
  await deliverWebhook({ ...world.deps, webhookKeys }, 'test', job);
};
/** Returns for each secret whether it signed the last webhook. */
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
/** Replaces the stored secrets of an endpoint, as an attacker with access to the table can. */
const replaceSecrets = async (id: string, secrets: string[]): Promise<void> => {
  const [item] = (await world.itemsOf('WHE')).filter((endpoint) => endpoint.id === id);
  const Item = { ...item, secrets: secrets.map((secret) => ({ secret, until: null })) };
  await inNoRole(() => world.table.client.send(new PutCommand({ TableName: world.table.name, Item })));
};

describe('a webhook secret', () => {
  test('never appears in the table, neither new nor rotated, and signs webhooks', async () => {
    const shop = await openShop();
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

  test('gets sealed again after a rotation of the stage’s key, and then does not need the old key any more', async () => {
    const shop = await openShop();
    const rotated = (await shop.api.rotateSecret(shop.id, {})).json.data.secret;
    const both = keyReader(NEW, WEBHOOK_KEY);
    await deliver(shop, both);
    expect(signers(rotated, shop.secret)).toEqual([true, true]);
    const stage = stageWith(both);
    expect(await runOpsAsJson(stage, 'endpoint', 'seal')).toEqual({ endpoints: 1, sealed: 1, unreadable: [] });
    await deliver(shop, keyReader(NEW));
    expect(signers(rotated, shop.secret)).toEqual([true, true]);
    expect(await runOpsAsJson(stage, 'endpoint', 'seal')).toEqual({ endpoints: 1, sealed: 0, unreadable: [] });
    const { changes } = await runOpsAsJson(stage, 'audit', 'list');
    expect(
      changes.map(({ what }: { what: string }) => what).filter((what: string) => what.startsWith('sealed')),
    ).toEqual([`sealed the secrets of the test webhook endpoint ${shop.id} with the stage's current key`]);
  });

  test('can be opened if its key is newer than the keys that a container has read', async () => {
    const shop = await openShop(keyReader(NEW));
    const refreshes: boolean[] = [];
    await deliver(shop, async ({ refresh = false } = {}) => {
      refreshes.push(refresh);
      return refresh ? [NEW, WEBHOOK_KEY] : [WEBHOOK_KEY];
    });
    expect(refreshes).toEqual([false, true]);
    expect(signers(shop.secret)).toEqual([true]);
  });

  test('cannot sign for another endpoint if it is copied in the table, and the webhook waits without an attempt', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    await replaceSecrets(other.id, await storedSecrets(shop.id));
    await expect(deliver(other)).rejects.toThrow(`A secret of the webhook endpoint ${other.id} cannot be opened.`);
    expect(receiver.received).toEqual([]);
    expect(await world.delivery()).toMatchObject({ state: 'pending', attempt: 0 });
  });

  test('makes the seal command name its endpoint if its key is lost, and the command seals the other secrets', async () => {
    const [lost, other] = [
      await openShop(keyReader('the-key-of-a-stage-that-nobody-knows-any-more')),
      await openShop(),
    ];
    const before = await storedSecrets(other.id);
    const stage = stageWith(keyReader(NEW, WEBHOOK_KEY));
    await expect(runOpsAsText(stage, 'endpoint', 'seal')).rejects.toThrow(
      `Secrets of these endpoints cannot be decrypted, so nothing is delivered to them: ${lost.id}.`,
    );
    expect(await storedSecrets(other.id)).not.toEqual(before);
    await runOpsAsJson(stage, 'endpoint', 'rotate', lost.id, '--grace', '0');
    expect(await runOpsAsJson(stage, 'endpoint', 'seal')).toEqual({ endpoints: 2, sealed: 0, unreadable: [] });
  });

  test('cannot be created or rotated while the keys cannot be read, and nothing changes', async () => {
    const failed = await openShop(unreadable);
    expect([failed.created.status, failed.created.json.code]).toEqual([503, 'service_unavailable']);
    expect(await world.itemsOf('WHE')).toEqual([]);
    const shop = await openShop();
    const before = await storedSecrets(shop.id);
    const api = createApiClient({ ...world, deps: { ...world.deps, webhookKeys: unreadable } }, shop.key);
    expect((await api.rotateSecret(shop.id, {})).status).toBe(503);
    expect(await storedSecrets(shop.id)).toEqual(before);
  });

  test('delays its webhook while the keys cannot be read, and the webhook is not lost', async () => {
    const shop = await openShop();
    await expect(deliver(shop, unreadable)).rejects.toMatchObject({ name: 'DependencyUnavailable' });
    expect(await world.delivery()).toMatchObject({ state: 'pending', attempt: 0 });
    expect(receiver.received).toEqual([]);
  });
});
