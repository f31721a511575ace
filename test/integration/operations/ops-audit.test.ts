import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Command } from 'commander';
import type { Stage } from '#infra/ops/connect.ts';
import { operationsProgram } from '#infra/ops/program.ts';
import { idOfNotification } from '#shared/payments/use-cases/stuck-notifications.ts';
import type { Keys } from '#shared/platform/ports.ts';
import { healthyBreaker } from '#shared/webhooks/domain/breaker.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';
import { sealSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { newWebhookSecret } from '#shared/webhooks/domain/signature.ts';
import { endpointKey } from '#shared/webhooks/store/keys.ts';
import type { DeadLetterQueues } from '#shared/webhooks/use-cases/redrive-queue.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { testRows } from '#test/support/jest/long.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { createAccountClient } from '#test/support/worlds/account-client.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { signIn } from '#test/support/worlds/dashboard.ts';
import { WEBHOOK_KEY } from '#test/support/worlds/keys.ts';
import { newCustomer } from '#test/support/worlds/live-merchant.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const ADA = 'arn:aws:sts::111122223333:assumed-role/payments-operator/ada';
const PROVIDER = 'korapay';

let proxy: FaultProxy;
const OLD_KEY = 'the-key-of-a-stage-before-its-current-one';
let world: LiveWorld;
let moved: Lane[];
let stage: Stage;
beforeAll(async () => {
  proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  world = await makeLiveWorld({ dynamoDbEndpoint: proxy.endpoint });
  const deadLetters: DeadLetterQueues = {
    countWaiting: async () => 3,
    startMove: async (lane) => {
      moved.push(lane);
    },
    latestMove: async () =>
      moved.length === 0 ? undefined : { state: 'completed', startedAt: 1, moved: 3, toMove: 3, failure: null },
  };
  const enabledProviders = {};
  const webhookKeys = async (): Promise<Keys> => [WEBHOOK_KEY, OLD_KEY];
  stage = { ...world.deps, webhookKeys, deadLetters, enabledProviders, operator: async () => ADA };
});
beforeEach(() => {
  proxy.inject(() => undefined);
  moved = [];
});
afterAll(async () => {
  await world.stop();
  await proxy.stop();
});

/** Whether a call writes an operator's change to the audit log. */
const isRecord = (input: Record<string, unknown>): boolean => JSON.stringify(input).includes('"AUDIT#');
const isWrite = (operation: string): boolean => /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(operation);
const REFUSED = { status: 400, body: { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'No.' } };

/** Gives an endpoint a breaker with failures. An update of the endpoint changes the breaker in a separate write. */
const addFailures = (endpointId: string) => {
  const since = world.clock.now();
  const lastEventId = world.deps.newId('evt');
  const outage = { since, failures: 3, rejections: 0, lastEventId, lastAt: since, goneSince: null };
  return world.deps.breakers.save({ ...healthyBreaker({ endpointId, mode: 'live' }), version: 1, outage });
};

/** Stores a secret of an endpoint that is sealed with the key before the current one. */
const sealWithOldKey = (endpointId: string) =>
  inNoRole(() =>
    world.table.client.send(
      new UpdateCommand({
        TableName: world.table.name,
        Key: { ...endpointKey(endpointId) },
        UpdateExpression: 'SET #secrets = :secrets',
        ExpressionAttributeNames: { '#secrets': 'secrets' },
        ExpressionAttributeValues: {
          ':secrets': [
            {
              secret: sealSecret(OLD_KEY, endpointId, newWebhookSecret(world.deps.randomBytes), world.deps.randomBytes),
              until: null,
            },
          ],
        },
      }),
    ),
  );

/** Creates one of each thing that a command can change. */
const setUp = async () => {
  const business = await world.addBusiness(['https://ada.example/webhooks', 'https://ada.example/off'], 'live');
  const api = world.live(business);
  const [endpoint = '', off = ''] = business.endpoints.map(({ id }) => id);
  await addFailures(off);
  await api.updateEndpoint(off, { enabled: false });
  await addFailures(endpoint);
  const order = { amount: 8_500.75, payer_email: 'a@b.example', provider: PROVIDER };
  const { reference } = (await api.initialize(order)).json.data;
  const test = createApiClient(world, business.keys.secret_test);
  const { reference: simulated } = (await test.initialize({ amount: 100, payer_email: 'a@b.example' })).json.data;
  const { id: event } = (await api.testEndpoint(endpoint)).json.data;
  const { accountNumber } = await world.provider(PROVIDER).createAccount(newCustomer(), world.deps.newId('va'));
  await world.pay(PROVIDER, accountNumber, 850_075);
  const unmatched = (await world.deps.unmatched.oldest(100)).at(-1);
  const { key } = await runOpsAsJson(
    stage,
    'key',
    'create',
    '--business',
    business.id,
    '--mode',
    'live',
    '--kind',
    'secret',
  );
  const member = `bola@${business.id.toLowerCase().replace('_', '-')}.example`;
  await runOpsAsJson(stage, 'member', 'invite', member, '--role', 'viewer', '--business', business.id);
  const bola = await createAccountClient(world, await signIn(world, member)).addPasskey();
  const payment = unmatched?.id ?? '';
  const unreadable = { event: 'charge.success', data: { reference: business.id.length, of: business.id } };
  await world.notify('paystack', world.signed('paystack', unreadable));
  const stuck = (await world.deps.notifications.oldestStuck(100)).at(-1);
  return {
    business: business.id,
    member,
    key: key.id as string,
    event: event as string,
    endpoint,
    off,
    passkey: bola.json.data.passkeys.at(-1).id as string,
    payment,
    notification: stuck ? idOfNotification(stuck) : '',
    reference,
    simulated,
  };
};
type Things = Awaited<ReturnType<typeof setUp>>;

const ANY_ENDPOINT = ['--mode', 'live', '--url', 'https://ada.example/more'];
/** Every command that changes something. */
const CHANGING: Readonly<Record<string, (things: Things) => readonly string[]>> = {
  'business create': () => ['business', 'create', '--name', 'Ada Stores'],
  'business rename': ({ business }) => ['business', 'rename', business, '--name', 'Ada Stores'],
  'business set': ({ business }) => ['business', 'set', business, '--support', 'help@ada.example'],
  'business suspend': ({ business }) => ['business', 'suspend', business],
  'business resume': ({ business }) => ['business', 'resume', business],
  'key create': ({ business }) => ['key', 'create', '--business', business, '--mode', 'live', '--kind', 'secret'],
  'key roll': ({ key }) => ['key', 'roll', key],
  'key revoke': ({ key }) => ['key', 'revoke', key],
  'whitelist set': ({ key }) => ['whitelist', 'set', key, '102.89.23.17'],
  'whitelist clear': ({ key }) => ['whitelist', 'clear', key],
  'endpoint create': ({ business }) => ['endpoint', 'create', '--business', business, ...ANY_ENDPOINT],
  'endpoint update': ({ endpoint }) => ['endpoint', 'update', endpoint, '--url', 'https://ada.example/new'],
  'endpoint enable': ({ off }) => ['endpoint', 'enable', off],
  'endpoint disable': ({ endpoint }) => ['endpoint', 'disable', endpoint],
  'endpoint rotate': ({ endpoint }) => ['endpoint', 'rotate', endpoint],
  'endpoint seal': () => ['endpoint', 'seal'],
  'endpoint delete': ({ endpoint }) => ['endpoint', 'delete', endpoint],
  'endpoint test': ({ endpoint }) => ['endpoint', 'test', endpoint],
  'event redeliver': ({ event }) => ['event', 'redeliver', event],
  'payer erase': ({ business }) => ['payer', 'erase', business, 'a@b.example'],
  'checkout requery': ({ reference }) => ['checkout', 'requery', reference],
  simulate: ({ simulated }) => ['simulate', simulated, '--event', 'paid'],
  'unmatched assign': ({ payment, reference }) => ['unmatched', 'assign', payment, reference],
  'notification retry': ({ notification }) => ['notification', 'retry', notification],
  'notification dismiss': ({ notification }) => ['notification', 'dismiss', notification],
  'member invite': ({ business }) => ['member', 'invite', 'c@ada.example', '--role', 'owner', '--business', business],
  'member role': ({ business, member }) => ['member', 'role', member, '--role', 'owner', '--business', business],
  'member remove': ({ business, member }) => ['member', 'remove', member, '--business', business],
  'member confirm-passkey': ({ business, member, passkey }) => [
    'member',
    'confirm-passkey',
    member,
    passkey,
    '--business',
    business,
  ],
  'member reset-passkeys': ({ business, member }) => ['member', 'reset-passkeys', member, '--business', business],
  'queue redrive': () => ['queue', 'redrive', 'first'],
};
/** Every command that only reads. */
const READING: Readonly<Record<string, (things: Things) => readonly string[]>> = {
  'business list': () => ['business', 'list'],
  'business find': () => ['business', 'find', 'ada'],
  'business show': ({ business }) => ['business', 'show', business],
  'key list': ({ business }) => ['key', 'list', '--business', business],
  'whitelist show': ({ key }) => ['whitelist', 'show', key],
  'endpoint show': ({ endpoint }) => ['endpoint', 'show', endpoint],
  'endpoint list': ({ business }) => ['endpoint', 'list', '--business', business],
  'checkout list': ({ business }) => ['checkout', 'list', '--business', business, '--mode', 'live'],
  'event list': ({ business }) => ['event', 'list', '--business', business, '--mode', 'live'],
  'event show': ({ event }) => ['event', 'show', event],
  'checkout find': ({ reference }) => ['checkout', 'find', reference],
  'unmatched list': () => ['unmatched', 'list'],
  'notification list': () => ['notification', 'list'],
  'notification show': ({ notification }) => ['notification', 'show', notification],
  'provider list': () => ['provider', 'list'],
  'audit list': () => ['audit', 'list'],
  'member list': ({ business }) => ['member', 'list', '--business', business],
  'member passkeys': ({ business, member }) => ['member', 'passkeys', member, '--business', business],
  health: () => ['health'],
};

/** Commands that do not connect to a stage's table. Their own tests check that. */
const WITHOUT_TABLE = ['provider try', 'table try'];

const listCommands = (command: Command): string[] =>
  command.commands.length === 0
    ? [command.name()]
    : command.commands.flatMap((child) => listCommands(child).map((name) => `${command.name()} ${name}`));

describe('every command', () => {
  test('has its place in this file: it changes something, only reads, or connects to no table', () => {
    const program = operationsProgram({ connect: () => stage, out: () => {}, err: () => {} });
    const names = program.commands.flatMap(listCommands);
    expect(names.sort()).toEqual([...Object.keys(CHANGING), ...Object.keys(READING), ...WITHOUT_TABLE].sort());
  });

  testRows(Object.entries(CHANGING))(
    'named %s changes nothing without the operator’s AWS identity or without its audit record, and is recorded otherwise',
    async (name, args) => {
      const things = await setUp();
      // Only a suspended business can be resumed.
      if (name === 'business resume') await runOpsAsJson(stage, 'business', 'suspend', things.business);
      if (name === 'endpoint seal') await sealWithOldKey(things.endpoint);
      await world.takeJobs();
      const before = await world.itemsOf('');
      const who = () => Promise.reject(new Error('STS does not answer.'));
      await expect(runOpsAsJson({ ...stage, operator: who }, ...args(things))).rejects.toThrow('STS does not answer.');
      proxy.inject((operation, input) => (isWrite(operation) && isRecord(input) ? REFUSED : undefined));
      await expect(runOpsAsJson(stage, ...args(things))).rejects.toThrow('No.');
      expect([await world.itemsOf(''), await world.takeJobs(), moved]).toEqual([before, [], []]);

      proxy.inject(() => undefined);
      const answer = await runOpsAsJson(stage, ...args(things));
      const known = new Set(before.map(({ id }) => id));
      const records = (await world.itemsOf('LOG#')).filter(({ id }) => !known.has(id));
      expect(records.length).toBeGreaterThan(0);
      const others: Record<string, string> = {
        'queue redrive': 'stage',
        'notification retry': 'stage',
        'notification dismiss': 'stage',
        'business create': answer.business?.id,
      };
      for (const { pk, who: by } of records)
        expect([pk, by]).toEqual([`AUDIT#${others[name] ?? things.business}`, ADA]);
    },
  );

  test('writes nothing and needs no AWS identity if it only reads', async () => {
    const things = await setUp();
    const written: string[] = [];
    proxy.inject((operation) => {
      if (isWrite(operation)) written.push(operation);
      return undefined;
    });
    const who = () => Promise.reject(new Error('Asked.'));
    for (const args of Object.values(READING)) await runOpsAsJson({ ...stage, operator: who }, ...args(things));
    expect(written).toEqual([]);
  });
});

describe('audit list', () => {
  let world: World;
  beforeEach(async () => {
    world = await makeWorld();
    stage = { ...stage, ...world.deps };
  });
  const suspendOften = async (business: string, times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      world.clock.advance(1);
      await runOpsAsJson(stage, 'business', n % 2 === 0 ? 'suspend' : 'resume', business);
    }
  };

  test('shows the changes of operators on the stage, newest first, page by page', async () => {
    const [one, other] = [await world.addBusiness(), await world.addBusiness()];
    await suspendOften(one.id, 52);
    world.clock.advance(1);
    await runOpsAsJson(stage, 'queue', 'redrive', 'slow');
    await suspendOften(other.id, 2);
    const first = await runOpsAsJson(stage, 'audit', 'list');
    expect(first.changes).toHaveLength(50);
    const { at } = first.changes[0];
    const resumed = { at, who: ADA, business_id: other.id, what: 'resumed the business' };
    expect(first.changes[0]).toEqual({ id: expect.stringMatching(/^log_/), ...resumed });
    expect(new Date(at).getTime()).toBe(world.clock.now());
    expect(first.changes.filter((change: { business_id: unknown }) => change.business_id === null)).toHaveLength(2);
    const second = await runOpsAsJson(stage, 'audit', 'list', '--after', first.next);
    expect([second.changes.length, second.next]).toEqual([6, null]);
    const times = [...first.changes, ...second.changes].map((change: { at: string }) => change.at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('shows only the changes of one business, newest first, page by page', async () => {
    const [one, other] = [await world.addBusiness(), await world.addBusiness()];
    await suspendOften(one.id, 51);
    await suspendOften(other.id, 1);
    const first = await runOpsAsJson(stage, 'audit', 'list', one.id);
    const second = await runOpsAsJson(stage, 'audit', 'list', one.id, '--after', first.next);
    const all = [...first.changes, ...second.changes];
    expect([first.changes.length, second.changes.length, second.next]).toEqual([50, 1, null]);
    expect(new Set(all.map((change: { business_id: string }) => change.business_id))).toEqual(new Set([one.id]));
    expect(all.slice(0, 2)).toMatchObject([{ what: 'suspended the business' }, { what: 'resumed the business' }]);
    const text = await runOpsAsText(stage, 'audit', 'list', one.id);
    expect(text).toContain(`audit list ${one.id} --after '${first.next}'`);
    expect(text).toContain(ADA);
  });

  test('says that nothing was changed yet, and refuses malformed business ids and wrong cursors', async () => {
    expect(await runOpsAsText(stage, 'audit', 'list')).toBe('No operator has changed anything yet.\n');
    await expect(runOpsAsJson(stage, 'audit', 'list', 'biz_1')).rejects.toThrow('That is not the id of a business.');
    const { id } = await world.addBusiness();
    const ofStage = '001795867200000#log_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
    for (const after of ['2', ofStage]) {
      const listed = runOpsAsJson(stage, 'audit', 'list', id, '--after', after);
      await expect(listed).rejects.toThrow('That is not a cursor of this list.');
    }
  });
});
