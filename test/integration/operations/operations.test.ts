import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { hashKey, isUsable } from '#shared/businesses/domain/api-key.ts';
import { MAX_KEYS_PER_BUSINESS } from '#shared/businesses/domain/business.ts';
import { operatorChange } from '#shared/businesses/domain/operator-change.ts';
import { businessStore } from '#shared/businesses/store/business-store.ts';
import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { createKey } from '#shared/businesses/use-cases/create-key.ts';
import { allBusinesses, findBusiness, findKey } from '#shared/businesses/use-cases/find-business.ts';
import { revokeKey } from '#shared/businesses/use-cases/revoke-key.ts';
import { rollKey } from '#shared/businesses/use-cases/roll-key.ts';
import { resumeBusiness, suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { updateKey } from '#shared/businesses/use-cases/update-key.ts';
import { DAY, HOUR } from '#shared/platform/kernel/time.ts';
import { openSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { targetChecker } from '#shared/webhooks/http-out/target-checker.ts';
import { createWebhookEndpoint } from '#shared/webhooks/use-cases/create-webhook-endpoint.ts';
import { makeTransactionConflict, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { longTest } from '#test/support/jest/long.ts';
import { WEBHOOK_KEY } from '#test/support/worlds/keys.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const WHO = 'amaka';
const UNKNOWN_BUSINESS = 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
const UNKNOWN_KEY = 'key_01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
const TEST_SECRET = { mode: 'test', kind: 'secret' } as const;

const newOperations = async (dynamoDbEndpoint?: string) => {
  const world = await makeWorld(dynamoDbEndpoint ? { dynamoDbEndpoint } : {});
  const businesses = businessStore(world.table);
  const deps = {
    ...world.deps,
    businesses,
    checkTarget: targetChecker('public', async () => [{ address: '102.89.23.17', family: 4 }]),
  };
  return {
    world,
    deps,
    create: (name = 'Ada Stores') => createBusiness(deps, { name, actor: WHO }),
    readKeys: async (businessId: string) => businesses.keys(await findBusiness(deps, businessId)),
    readEndpoints: async (businessId: string) => businesses.endpoints(await findBusiness(deps, businessId)),
    addEndpoint: (businessId: string, url = 'https://ada.example/webhooks') =>
      createWebhookEndpoint(deps, { businessId, mode: 'test' }, { url, events: ['*'] }, WHO),
    /** Reads the recorded changes of a business, oldest first. */
    readChanges: async (businessId: string) => {
      const { Items = [] } = await world.table.client.send(
        new QueryCommand({
          TableName: world.table.name,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :log)',
          ExpressionAttributeValues: { ':pk': `AUDIT#${businessId}`, ':log': 'LOG#' },
        }),
      );
      return Items.map((item) => operatorChange.parse(item));
    },
  };
};

let ops: Awaited<ReturnType<typeof newOperations>>;
beforeAll(async () => {
  ops = await newOperations();
});

const together = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => work(n)));

describe('creating a business', () => {
  test('makes four working keys, and stores none of them in clear text', async () => {
    const { business, keys } = await ops.create('  Ada Stores ');
    expect(business.name).toBe('Ada Stores');
    expect(keys.map(({ key }) => key.slice(0, 8))).toEqual(['sk_live_', 'pk_live_', 'sk_test_', 'pk_test_']);
    for (const { id, key, mode, kind } of keys) {
      const stored = await ops.world.deps.keys.findByHash(hashKey(key));
      expect(stored).toMatchObject({ id, mode, kind, businessId: business.id, last4: key.slice(-4), ipWhitelist: [] });
      expect(stored && isUsable(stored, ops.world.clock.now())).toBe(true);
    }
    const everything = JSON.stringify(await ops.world.itemsOf(''));
    for (const { key } of keys) expect(everything).not.toContain(key);
  });

  test('records who did what, and when', async () => {
    const { business } = await ops.create();
    expect(await ops.readChanges(business.id)).toMatchObject([
      { who: WHO, at: ops.world.clock.now(), what: 'created the business "Ada Stores"' },
    ]);
  });

  test.each(['', '   ', 'Ada\nStores', 'Ada\u001b[2J', 'Ada\u2028Stores'])('refuses the name %j', async (name) => {
    await expect(ops.create(name)).rejects.toThrow('A business name has 1 to 100 characters');
  });

  test('takes a name of 100 characters and refuses one of 101', async () => {
    expect((await ops.create('x'.repeat(100))).business.name).toHaveLength(100);
    await expect(ops.create('x'.repeat(101))).rejects.toThrow('A business name has 1 to 100 characters');
  });

  test('keeps names in any script', async () => {
    const { business } = await ops.create('Ọjà Ṣadé 👩🏾‍🍳');
    expect((await findBusiness(ops.deps, business.id)).name).toBe('Ọjà Ṣadé 👩🏾‍🍳');
  });

  longTest('all businesses are listed, newest first, even if they fill more than one list page', async () => {
    const { deps, world } = await newOperations();
    for (let n = 1; n <= 102; n++) {
      world.clock.advance(1);
      await createBusiness(deps, { name: `Business ${n}`, actor: WHO });
    }
    const names = (await allBusinesses(deps)).map(({ name }) => name);
    expect(names).toHaveLength(102);
    expect([names[0], names[101]]).toEqual(['Business 102', 'Business 1']);
  });
});

describe('suspending', () => {
  test('stops every key, and resuming restores those that are not revoked; both are recorded once', async () => {
    const { business, keys } = await ops.create();
    const usable = async () =>
      (await ops.readKeys(business.id)).filter((key) => isUsable(key, ops.world.clock.now())).length;
    await revokeKey(ops.deps, { keyId: keys[0]?.id ?? '', actor: WHO });
    expect(await usable()).toBe(3);

    const request = { businessId: business.id, actor: WHO };
    expect((await suspendBusiness(ops.deps, request)).suspended).toBe(true);
    await suspendBusiness(ops.deps, request);
    expect(await usable()).toBe(0);
    expect((await resumeBusiness(ops.deps, request)).suspended).toBe(false);
    expect(await usable()).toBe(3);
    const what = (await ops.readChanges(business.id)).map((change) => change.what);
    expect(what.filter((text) => text.endsWith('the business'))).toHaveLength(2);
  });

  test('also stops a key that is created at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { business } = await ops.create();
      const request = { businessId: business.id, actor: WHO };
      await Promise.all([
        createKey(ops.deps, { ...request, ...TEST_SECRET }),
        suspendBusiness(ops.deps, request),
        createKey(ops.deps, { ...request, ...TEST_SECRET }),
      ]);
      const keys = await ops.readKeys(business.id);
      expect(keys).toHaveLength(6);
      expect(keys.every((key) => key.businessSuspended)).toBe(true);
    }
  });
});

describe('keys', () => {
  test('five keys that are created at the same time all exist', async () => {
    const { business } = await ops.create();
    const results = await together(5, () =>
      createKey(ops.deps, { businessId: business.id, actor: WHO, ...TEST_SECRET }),
    );
    const ids = results.map((result) => (result.status === 'fulfilled' ? result.value.issued.id : result.reason));
    expect((await ops.readKeys(business.id)).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(await ops.readChanges(business.id)).toHaveLength(6);
  });

  test('a transaction conflict is retried and not reported to the operator', async () => {
    const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    try {
      const { deps, create } = await newOperations(proxy.endpoint);
      let conflicts = 3;
      proxy.inject((operation) =>
        operation === 'TransactWriteItems' && conflicts-- > 0 ? makeTransactionConflict(6) : undefined,
      );
      const { business } = await create();
      expect(await findBusiness(deps, business.id)).toEqual(business);
    } finally {
      await proxy.stop();
    }
  });

  test('a rolled key works until its grace ends; the new one has its mode, kind and whitelist', async () => {
    const { world, deps } = ops;
    const { keys } = await ops.create();
    const old = keys[2];
    if (!old) throw new Error('The test secret key is missing.');
    await updateKey(deps, { keyId: old.id, entries: ['102.89.23.17'], actor: WHO });
    const { issued, replaced } = await rollKey(deps, { keyId: old.id, grace: 24 * HOUR, actor: WHO });
    expect(issued).toMatchObject(TEST_SECRET);

    const stored = async (key: string) => world.deps.keys.findByHash(hashKey(key));
    const [before, after] = [await stored(old.key), await stored(issued.key)];
    if (!before || !after) throw new Error('A rolled key is missing.');
    expect(after).toMatchObject({ ...TEST_SECRET, ipWhitelist: ['102.89.23.17'], expiresAt: null });
    expect(before).toEqual(replaced);
    const rolledAt = world.clock.now();
    expect([0, 24 * HOUR - 1, 24 * HOUR].map((later) => isUsable(before, rolledAt + later))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a key that is rolled without grace is unusable, even if a clock is behind', async () => {
    const { keys } = await ops.create();
    const { replaced } = await rollKey(ops.deps, { keyId: keys[0]?.id ?? '', grace: 0, actor: WHO });
    expect(isUsable(replaced, ops.world.clock.now() - HOUR)).toBe(false);
  });

  test('only one of two rolls at the same time succeeds, and there is one new key', async () => {
    const { business, keys } = await ops.create();
    const results = await together(2, () => rollKey(ops.deps, { keyId: keys[0]?.id ?? '', grace: DAY, actor: WHO }));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await ops.readKeys(business.id)).toHaveLength(5);
  });

  test.each([-1, 7 * DAY + 1, 0.5, Number.NaN])('refuses a grace of %p ms', async (grace) => {
    await expect(rollKey(ops.deps, { keyId: UNKNOWN_KEY, grace, actor: WHO })).rejects.toThrow('between 0 and 7 days');
  });

  test('a revoked key stays revoked: it cannot be rolled or restricted, and revoking it again changes nothing', async () => {
    const { business, keys } = await ops.create();
    const keyId = keys[0]?.id ?? '';
    const { revokedAt } = await revokeKey(ops.deps, { keyId, actor: WHO });
    ops.world.clock.advance(1_000);
    expect((await revokeKey(ops.deps, { keyId, actor: WHO })).revokedAt).toBe(revokedAt);
    await expect(rollKey(ops.deps, { keyId, grace: DAY, actor: WHO })).rejects.toThrow('no longer works');
    await expect(updateKey(ops.deps, { keyId, entries: [], actor: WHO })).rejects.toThrow('no longer works');
    expect(await ops.readChanges(business.id)).toHaveLength(2);
  });

  test('creating a key removes a revoked key from a full list; if no key has ended, it fails', async () => {
    const { business, keys } = await ops.create();
    const businessId = business.id;
    const more = () => createKey(ops.deps, { businessId, actor: WHO, ...TEST_SECRET });
    for (let n = keys.length; n < MAX_KEYS_PER_BUSINESS; n++) await more();
    await expect(more()).rejects.toThrow(`has ${MAX_KEYS_PER_BUSINESS} keys, the maximum`);
    // A suspension of the largest business is still one transaction.
    await suspendBusiness(ops.deps, { businessId, actor: WHO });
    expect((await ops.readKeys(businessId)).filter((key) => key.businessSuspended)).toHaveLength(MAX_KEYS_PER_BUSINESS);

    const revoked = keys[0]?.id ?? '';
    await revokeKey(ops.deps, { keyId: revoked, actor: WHO });
    const { id } = (await more()).issued;
    const held = (await ops.readKeys(businessId)).map((key) => key.id);
    expect(held).toHaveLength(MAX_KEYS_PER_BUSINESS);
    expect(held).toContain(id);
    expect(held).not.toContain(revoked);
    await expect(revokeKey(ops.deps, { keyId: revoked, actor: WHO })).rejects.toThrow('ended long ago');
  });
});

describe('the whitelist of a key', () => {
  test('can be set, shown and cleared, and each change is recorded', async () => {
    const { business, keys } = await ops.create();
    const keyId = keys[0]?.id ?? '';
    const entries = [' 102.89.23.17', '10.0.0.0/8', '2001:db8::/32', '10.0.0.0/8'];
    const wanted = ['102.89.23.17', '10.0.0.0/8', '2001:db8::/32'];
    expect((await updateKey(ops.deps, { keyId, entries, actor: WHO })).key.ipWhitelist).toEqual(wanted);
    expect((await findKey(ops.deps, keyId)).ipWhitelist).toEqual(wanted);
    await updateKey(ops.deps, { keyId, entries: [], actor: WHO });
    expect((await findKey(ops.deps, keyId)).ipWhitelist).toEqual([]);
    const what = (await ops.readChanges(business.id)).map((change) => change.what);
    const key = `the live secret key sk_live_…${(await findKey(ops.deps, keyId)).last4}`;
    expect(what).toContain(
      `set the whitelist of ${key} to ${wanted.join(', ')}; before, it was any address (${keyId})`,
    );
    expect(what).toContain(
      `set the whitelist of ${key} to any address; before, it was ${wanted.join(', ')} (${keyId})`,
    );
  });

  test.each(['', '10.0.0', '10.0.0.0/33', '10.0.0.0/8/8', 'example.com', '1.2.3.4,5.6.7.8'])(
    'refuses the entry %j',
    async (entry) => {
      const wrong = updateKey(ops.deps, { keyId: UNKNOWN_KEY, entries: ['10.0.0.1', entry], actor: WHO });
      await expect(wrong).rejects.toThrow('is neither an IP address nor a CIDR range');
    },
  );

  test('has at most 100 entries, and is only for secret keys', async () => {
    const { keys } = await ops.create();
    const entries = Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`);
    await expect(updateKey(ops.deps, { keyId: UNKNOWN_KEY, entries, actor: WHO })).rejects.toThrow(
      'at most 100 entries',
    );
    const publicKey = updateKey(ops.deps, { keyId: keys[1]?.id ?? '', entries: ['10.0.0.1'], actor: WHO });
    await expect(publicKey).rejects.toThrow('Only secret keys have a whitelist.');
  });
});

describe('webhook endpoints', () => {
  test('appear in the list of their business, and only the endpoint itself stores the secret', async () => {
    const { business } = await ops.create();
    const url = 'https://hooks.ada.example/in?token=confidential';
    const { endpoint, secret } = await ops.addEndpoint(business.id, url);
    expect(endpoint).toMatchObject({
      url,
      events: ['*'],
      enabled: true,
      secrets: [{ secret: expect.stringMatching(/^sealed\./), until: null }],
    });
    expect(await ops.readEndpoints(business.id)).toEqual([endpoint]);
    expect((await findBusiness(ops.deps, business.id)).endpoints).toEqual([
      { id: endpoint.id, mode: 'test', events: ['*'], enabled: true },
    ]);
    const changes = JSON.stringify(await ops.readChanges(business.id));
    expect(changes).toContain(`created the test webhook endpoint ${endpoint.id} at hooks.ada.example`);
    expect(changes).not.toContain(secret);
    expect(changes).not.toContain('confidential');
    expect(openSecret([WEBHOOK_KEY], endpoint.id, endpoint.secrets[0]?.secret ?? '')).toBe(secret);
  });

  test('have a limit of five in each mode, even if ten are created at the same time', async () => {
    const { business } = await ops.create();
    const results = await together(10, (n) => ops.addEndpoint(business.id, `https://ada.example/${n}`));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(5);
    for (const error of refused) expect(error).toMatchObject({ code: 'endpoint_limit_reached' });
    const live = { businessId: business.id, mode: 'live' } as const;
    await createWebhookEndpoint(ops.deps, live, { url: 'https://ada.example', events: ['*'] }, WHO);
    expect(await ops.readEndpoints(business.id)).toHaveLength(6);
    expect((await findBusiness(ops.deps, business.id)).endpoints).toHaveLength(6);
  });

  test.each([
    [
      'ftp://ada.example',
      'url must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
    ],
    [
      'http://ada.example',
      'url must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
    ],
    [
      'ada.example/webhooks',
      'url must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
    ],
    [
      'https:ada.example',
      'url must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
    ],
    [
      'https://',
      'url must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
    ],
    ['https://ada.example/a b', 'url must hold no spaces, control characters, unpaired surrogates or backslashes.'],
    ['https://127.0.0.1/webhooks', 'url must name its host; an IP address is not accepted.'],
    ['https://ada:secret@ada.example', 'url must hold no user name or password.'],
    ['https://ada@ada.example', 'url must hold no user name or password.'],
  ])('refuses the URL %j', async (url, message) => {
    const { business } = await ops.create();
    await expect(ops.addEndpoint(business.id, url)).rejects.toMatchObject({ details: { errors: [{ message }] } });
    expect(await ops.readEndpoints(business.id)).toEqual([]);
  });

  test('refuses a URL beyond 2048 characters', async () => {
    const url = `https://ada.example/${'x'.repeat(2_048)}`;
    const { business } = await ops.create();
    await expect(ops.addEndpoint(business.id, url)).rejects.toMatchObject({
      details: { errors: [{ message: 'url must have at most 2,048 characters.' }] },
    });
  });

  test('may be http on loopback on a stage that allows any target', async () => {
    const { business } = await ops.create();
    const deps = { ...ops.deps, checkTarget: targetChecker('any') };
    const url = 'http://127.0.0.1:9/webhooks';
    const tenant = { businessId: business.id, mode: 'test' } as const;
    expect((await createWebhookEndpoint(deps, tenant, { url, events: ['*'] }, WHO)).endpoint.url).toBe(url);
  });
});

describe('ids', () => {
  test.each(['', 'biz_1', 'BIZ_01KDVDNX1Q0Y8J6W6KZ0H3S5TA', UNKNOWN_KEY, `${UNKNOWN_BUSINESS}\n`])(
    'must be well-formed before anything is read: %j',
    async (id) => {
      const unread = { find: () => Promise.reject(new Error('It was read.')) };
      const deps = { businesses: { ...ops.deps.businesses, ...unread } };
      await expect(findBusiness(deps, id)).rejects.toThrow('That is not the id of a business.');
    },
  );

  test('appear in the error if they do not exist', async () => {
    await expect(findBusiness(ops.deps, UNKNOWN_BUSINESS)).rejects.toThrow(`There is no business ${UNKNOWN_BUSINESS}.`);
    await expect(revokeKey(ops.deps, { keyId: UNKNOWN_KEY, actor: WHO })).rejects.toThrow(
      `There is no key ${UNKNOWN_KEY}.`,
    );
  });
});
