import { hashKey } from '#shared/businesses/domain/api-key.ts';
import type { LogFields } from '#shared/platform/observability/log.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { runOpsAsJson } from '#test/support/worlds/operations.ts';
import { business, endpointId, ORDER, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

/* Tests that the log answers the questions in docs/operating/runbook.md, "A stolen key". */

const MERCHANT = '102.89.23.17';
const THIEF = '198.51.100.7';
openMerchantForEachTest({ world: { rateLimits: { live: 0, test: 3, publicAddress: 0 } } });
let keyId: string;
beforeEach(async () => {
  keyId = (await world.deps.keys.findByHash(hashKey(business.keys.secret_test)))?.id ?? '';
});

const clientAt = (address: string) => createApiClient(world, business.keys.secret_test, address);
const readAnswers = (): LogFields[] => world.loggedLines('request_answered').filter(({ key_id }) => key_id === keyId);

test('the log shows the addresses that used a key, their requests, and the ids that these requests created or changed', async () => {
  const own = (await clientAt(MERCHANT).initialize(ORDER)).json.data.reference;
  world.clock.advance(1_000);
  const { reference } = (await clientAt(THIEF).initialize(ORDER)).json.data;
  const customer = { customer_name: 'Adaeze Okafor', bvn: '22212345678', nin: '12345678901', provider: 'korapay' };
  const { accounts } = (await clientAt(THIEF).createAccounts(customer)).json;
  await clientAt(THIEF).updateEndpoint(endpointId, { url: 'https://thief.example/webhooks' });
  world.clock.advance(1_000);
  await clientAt(THIEF).verify(own);
  await clientAt(THIEF).verify('PAY-7H2KQ9XW4M1ZB8T5RC3N');

  expect(new Set(readAnswers().map(({ source_ip: address }) => address))).toEqual(new Set([MERCHANT, THIEF]));
  const changes = readAnswers()
    .filter(({ source_ip: address, changed_ids: ids }) => address === THIEF && ids !== undefined)
    .map(({ route, changed_ids: ids }) => [route, ids]);
  expect(changes).toEqual([
    ['POST /api/v1/checkout/initialize', reference],
    ['POST /api/v1/virtual-accounts', accounts[0].id],
    [`PATCH /api/v1/webhook-endpoints/${endpointId}`, endpointId],
  ]);
  const read = readAnswers().slice(-2);
  expect(read.map(({ status, code }) => [status, code])).toEqual([
    [200, undefined],
    [404, 'checkout_not_found'],
  ]);
});

test('the log still names a revoked key, and has a separate event for a key outside its whitelist', async () => {
  const stage = { ...world.deps, operator: async () => 'arn:aws:sts::111122223333:assumed-role/payments-operator/ada' };
  const { key } = await runOpsAsJson(
    stage,
    'key',
    'create',
    '--business',
    business.id,
    '--mode',
    'test',
    '--kind',
    'secret',
  );
  const thief = createApiClient(world, key.key, THIEF);
  await runOpsAsJson(stage, 'whitelist', 'set', key.id, MERCHANT);
  await thief.initialize(ORDER);
  await runOpsAsJson(stage, 'key', 'revoke', key.id);
  await thief.initialize(ORDER);
  const seen = world.logged.filter(({ key_id: id }) => id === key.id);
  expect(seen.map(({ event, code, source_ip: address }) => [event, code, address])).toEqual([
    ['secret_key_refused', 'ip_not_whitelisted', THIEF],
    ['request_answered', 'ip_not_whitelisted', THIEF],
    ['request_answered', 'invalid_api_key', THIEF],
  ]);
  expect(JSON.stringify(world.logged)).not.toContain(key.key);
});
