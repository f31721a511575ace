import * as z from 'zod';
import { hashKey, newApiKey } from '#shared/businesses/domain/api-key.ts';
import { ApiError, type ApiErrorCode, DependencyUnavailable, invalid } from '#shared/platform/kernel/errors.ts';
import { DAY, SECOND } from '#shared/platform/kernel/time.ts';
import type { Claim } from '#shared/platform/requests/idempotency.ts';
import type { StoredAnswer } from '#shared/platform/requests/ports.ts';
import { type ChainOptions, chainOf, failNotPayable, KEY, makePlanReply } from './chain.ts';
import { id, NOON, OTHER_SHOP, SHOP, storedKey } from './examples.ts';

type Chain = ReturnType<typeof chainOf>;

/** Makes a middleware chain whose work writes a plan and its answer together, as the transaction of a use case does. */
const writingChain = (more: ChainOptions = {}): Chain & { plans: string[] } => {
  const plans: string[] = [];
  const chain: Chain = chainOf({
    ...more,
    work: ({ body, commit }) =>
      commit(
        async () => ({
          result: `${body.saver}, plan ${plans.length + 1}`,
          writes: [],
          afterwards: async () => {
            plans.push(body.saver);
          },
        }),
        makePlanReply,
      ),
  });
  return { ...chain, plans };
};

const withKey = (key: string, request: Parameters<Chain['call']>[0] = {}) => ({
  ...request,
  headers: { 'idempotency-key': key, ...request.headers },
});

describe('a request with an Idempotency-Key', () => {
  test('has one effect, and repeats its first answer byte for byte', async () => {
    const { call, plans } = writingChain();
    const first = await call(withKey('plan-417'));
    const second = await call(withKey('plan-417'));
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(plans).toEqual(['Aisha Bello']);
  });

  test('has no effect if its answer would be too large to be stored', async () => {
    const plans: string[] = [];
    const { call } = chainOf({
      work: ({ body, commit }) =>
        commit(
          async () => ({
            result: 'x'.repeat(300_000),
            writes: [],
            afterwards: async () => {
              plans.push(body.saver);
            },
          }),
          makePlanReply,
        ),
    });
    expect((await call(withKey('plan-417'))).status).toBe(500);
    expect(plans).toEqual([]);
    expect((await call()).status).toBe(201);
    expect(plans).toEqual(['Aisha Bello']);
  });

  test('gets the answer of the decision that was written, even if earlier decisions met conflicts', async () => {
    let decisions = 0;
    const rendered: string[] = [];
    const { call, answers } = chainOf({
      work: ({ commit }) => {
        answers.contention.conflicts = 2;
        return commit(
          async () => {
            decisions += 1;
            return { result: `decision ${decisions}`, writes: [] };
          },
          (decision) => {
            rendered.push(decision);
            return makePlanReply(decision);
          },
        );
      },
    });
    const first = await call(withKey('plan-417'));
    expect(first.body).toEqual(makePlanReply('decision 3').body);
    expect((await call(withKey('plan-417'))).text).toBe(first.text);
    expect(decisions).toBe(3);
    expect(rendered).toEqual(['decision 1', 'decision 2', 'decision 3']);
  });

  test('has one effect if fifty equal requests come at once', async () => {
    const { call, plans } = writingChain();
    const all = await Promise.all(Array.from({ length: 50 }, () => call(withKey('plan-417'))));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(all.filter(({ headers }) => !('idempotent-replayed' in headers))).toHaveLength(1);
    expect(plans).toHaveLength(1);
  });

  test('may send its key bare or quoted', async () => {
    const { call, plans } = writingChain();
    await call(withKey('plan-417'));
    expect((await call(withKey('"plan-417"'))).headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(plans).toHaveLength(1);
  });

  test.each([
    ['another body', { body: { saver: 'Tunde Adeyemi' } }],
    ['one space more in the body', { body: '{"saver": "Aisha Bello"}' }],
    ['another query', { query: { notify: 'yes' } }],
  ])('fails if its key was used with %s', async (_, other) => {
    const { call, plans } = writingChain();
    await call(withKey('plan-417'));
    const { status, body } = await call(withKey('plan-417', other));
    expect([status, body.code, body.message]).toEqual([
      422,
      'idempotency_key_reused',
      'This Idempotency-Key was used with a different request.',
    ]);
    expect(plans).toHaveLength(1);
    // The first request still has its answer.
    expect((await call(withKey('plan-417'))).headers).toMatchObject({ 'idempotent-replayed': 'true' });
  });

  test('has an effect of its own under another key, and without a key', async () => {
    const { call, plans } = writingChain();
    for (const headers of [{ 'idempotency-key': 'plan-417' }, { 'idempotency-key': 'plan-418' }, {}, {}]) {
      expect((await call({ headers })).headers).not.toHaveProperty('idempotent-replayed');
    }
    expect(plans).toHaveLength(4);
  });

  test('has an effect of its own at another business and in another mode', async () => {
    const keyOf = (fill: number) => newApiKey('secret', 'test', (length) => new Uint8Array(length).fill(fill));
    const [other, live] = [keyOf(11), keyOf(12)];
    const { call, plans } = writingChain({
      known: {
        [hashKey(KEY)]: storedKey({ businessId: SHOP }),
        [hashKey(other)]: storedKey({ businessId: OTHER_SHOP }),
        [hashKey(live)]: storedKey({ businessId: SHOP, mode: 'live' }),
      },
    });
    for (const key of [KEY, other, live])
      await call(withKey('plan-417', { headers: { authorization: `Bearer ${key}` } }));
    expect(plans).toHaveLength(3);
  });

  test('may be repeated with any key of the same business and mode', async () => {
    const rolled = newApiKey('secret', 'test', (length) => new Uint8Array(length).fill(13));
    const { call, plans } = writingChain({
      known: { [hashKey(KEY)]: storedKey(), [hashKey(rolled)]: storedKey({ id: id('key', 2) }) },
    });
    await call(withKey('plan-417'));
    const again = await call(withKey('plan-417', { headers: { authorization: `Bearer ${rolled}` } }));
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(plans).toHaveLength(1);
  });

  test('keeps its answer for 24 hours', async () => {
    const { call, clock, plans } = writingChain();
    await call(withKey('plan-417'));
    clock.now += DAY - 1;
    expect((await call(withKey('plan-417'))).headers).toMatchObject({ 'idempotent-replayed': 'true' });
    clock.now += 1;
    expect((await call(withKey('plan-417'))).headers).not.toHaveProperty('idempotent-replayed');
    expect(plans).toHaveLength(2);
  });

  test.each([
    ['a doubled header, joined by a comma', 'plan-417,plan-418'],
    ['empty', ''],
    ['a text of 256 characters', 'x'.repeat(256)],
  ])('fails before any work if its key is %s', async (_, key) => {
    const { call, requests } = chainOf();
    const { status, body } = await call(withKey(key));
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toEqual([
      { field: 'Idempotency-Key', message: expect.stringMatching(/^Idempotency-Key .+\.$/) },
    ]);
    expect(requests).toHaveLength(0);
  });

  test('counts as an ordinary request if the endpoint does not honour the key', async () => {
    const { call, requests, answers } = chainOf({ contract: { idempotent: false } });
    await call(withKey('plan-417'));
    expect((await call(withKey('plan-417'))).headers).not.toHaveProperty('idempotent-replayed');
    expect(requests).toHaveLength(2);
    expect(answers.records.size).toBe(0);
  });
});

describe('the record under an Idempotency-Key', () => {
  test('has the answer of work that had no effect', async () => {
    const { call, answers } = chainOf();
    const first = await call(withKey('plan-417'));
    const second = await call(withKey('plan-417'));
    expect(second.text).toBe(first.text);
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect([...answers.records.values()]).toEqual([
      expect.objectContaining({ status: 201, body: first.text, requestId: first.headers['x-request-id'] }),
    ]);
  });

  test('has an error of the work, with the request id of the first request', async () => {
    const { call } = chainOf({ work: failNotPayable });
    const first = await call(withKey('plan-417', { requestId: 'gateway-1' }));
    const second = await call(withKey('plan-417', { requestId: 'gateway-2' }));
    expect(first.status).toBe(409);
    expect([second.status, second.text]).toEqual([409, first.text]);
    expect(second.body.request_id).toBe('gateway-1');
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-request-id': 'gateway-2' });
  });

  test.each<[string, () => never, number]>([
    [
      'an unexpected error',
      () => {
        throw new Error('boom');
      },
      500,
    ],
    [
      'a provider that is down',
      () => {
        throw new ApiError('provider_error');
      },
      502,
    ],
    [
      'a service that is not ready',
      () => {
        throw new ApiError('service_unavailable');
      },
      503,
    ],
  ])('leaves out a 5xx, so that the request can be repeated: %s', async (_, fault, status) => {
    let down = true;
    const { call, answers } = chainOf({ work: async ({ body }) => (down ? fault() : makePlanReply(body.saver)) });
    expect((await call(withKey('plan-417'))).status).toBe(status);
    expect(answers.records.size).toBe(0);
    down = false;
    const second = await call(withKey('plan-417'));
    expect(second.status).toBe(201);
    expect(second.headers).not.toHaveProperty('idempotent-replayed');
  });

  test('leaves out a reply that does not match its contract', async () => {
    const { call, answers } = chainOf({ work: async () => makePlanReply(5) });
    expect((await call(withKey('plan-417'))).status).toBe(500);
    expect(answers.records.size).toBe(0);
  });

  test.each([
    ['an invalid body', { body: {} }],
    ['broken JSON', { body: '{' }],
    ['another media type', { headers: { 'content-type': 'text/plain' } }],
    ['a body too large', { body: ' '.repeat(65_537) }],
    [
      'an unknown API key',
      { headers: { authorization: `Bearer ${newApiKey('secret', 'test', (n) => new Uint8Array(n))}` } },
    ],
  ])('leaves out a request that was refused before the work: %s', async (_, request) => {
    const { call, answers } = chainOf();
    expect((await call(withKey('plan-417', request))).status).toBeGreaterThanOrEqual(400);
    expect(answers.records.size).toBe(0);
    // The key is still free for the corrected request.
    expect((await call(withKey('plan-417'))).status).toBe(201);
  });

  test('leaves out a validation error, even if only the use case can find it', async () => {
    const { call, answers } = chainOf({
      work: async ({ body }) => {
        if (!body.target) throw invalid({ field: 'target', message: 'target is required by paystack.' });
        return makePlanReply(body.saver);
      },
    });
    expect((await call(withKey('plan-417'))).status).toBe(422);
    expect(answers.records.size).toBe(0);
    const corrected = await call(withKey('plan-417', { body: { saver: 'Aisha Bello', target: 5_000 } }));
    expect(corrected.status).toBe(201);
  });

  test('has only a keyed hash of the body', async () => {
    const { call, answers } = chainOf({ work: async () => makePlanReply('a saver') });
    await call(withKey('plan-417', { body: { saver: 'Aisha Bello', bvn: '22212345678' } }));
    const records = JSON.stringify([...answers.records.values()]);
    for (const secret of ['Aisha', '22212345678', 'plan-417', KEY]) expect(records).not.toContain(secret);
  });
});

describe('the look-up of an Idempotency-Key', () => {
  test('runs while the request is counted, after the caller is known', async () => {
    const { call, timeline } = chainOf();
    await call(withKey('plan-417'));
    expect(timeline.slice(0, 2)).toEqual(['key asked', 'key known']);
    expect(timeline.slice(2, 4).toSorted()).toEqual(['count asked', 'record asked']);
    expect(timeline.filter((name) => name === 'record asked')).toHaveLength(1);
  });

  test.each([
    ['has no key', {}, {}],
    ['has a malformed key', {}, withKey('plan-417,plan-418')],
    ['goes to an endpoint that honours no key', { idempotent: false }, withKey('plan-417')],
  ])('does not run if the request %s', async (_, contractChange, request) => {
    const { call, timeline } = chainOf({ contract: contractChange });
    await call(request);
    expect(timeline).not.toContain('record asked');
  });

  test('replays the answer of the same request, even if the request is no longer valid', async () => {
    const first = writingChain();
    const { text } = await first.call(withKey('plan-417'));
    const body = z.object({ saver: z.string().check(z.maxLength(3)) }) as never;
    const later = writingChain({ contract: { body } });
    expect((await later.call()).body.code).toBe('validation_failed');
    for (const [scope, record] of first.answers.records) later.answers.records.set(scope, record);
    const replayed = await later.call(withKey('plan-417'));
    expect([replayed.text, replayed.headers['idempotent-replayed']]).toEqual([text, 'true']);
  });

  test.each([
    ['broken JSON', '{'],
    ['no object', '[]'],
    ['an object without fields', '{}'],
  ])('compares the bytes of a body: %s is another body', async (_, body) => {
    const { call, plans } = writingChain();
    await call(withKey('plan-417'));
    expect((await call(withKey('plan-417', { body }))).body.code).toBe('idempotency_key_reused');
    expect(plans).toHaveLength(1);
  });

  test('answers 503, and nothing is done, if the record cannot be read', async () => {
    const { call, answers, requests } = chainOf();
    answers.find = () => Promise.reject(new DependencyUnavailable('The table does not answer.'));
    const { status, body } = await call(withKey('plan-417'));
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
    expect(requests).toHaveLength(0);
  });

  /** Makes a middleware chain in which another request has left a claim under the key `plan-417`. */
  const claimedBefore = async (leaseUntil: number) => {
    const { call, clock, answers, requests } = chainOf({
      work: ({ body, commit }) => commit(async () => ({ result: body.saver, writes: [] }), makePlanReply),
    });
    await call(withKey('plan-417'));
    const [{ scope, fingerprint }] = [...answers.records.values()] as [StoredAnswer];
    const claim: Claim = {
      scope,
      fingerprint,
      requestId: 'gateway-0',
      createdAt: NOON,
      leaseUntil,
      intents: ['plan-1'],
    };
    answers.records.set(scope, claim);
    requests.length = 0;
    return { call, clock, requests, claim };
  };

  test.each([
    [0, '1'],
    [1, '1'],
    [2 * SECOND, '2'],
    [2 * SECOND + 1, '3'],
    [5 * SECOND, '5'],
    [29 * SECOND, '5'],
  ])(
    'refuses a repeat of a request that has run for %i ms, and asks to retry after %s s, not when its lease ends',
    async (ran, wait) => {
      const { call, clock, requests } = await claimedBefore(NOON + 30 * SECOND);
      clock.now = NOON + ran;
      const { status, body, headers } = await call(withKey('plan-417'));
      expect([status, body.code, headers['retry-after']]).toEqual([409, 'idempotency_in_progress', wait]);
      expect((await call(withKey('plan-417', { body: '{' }))).body.code).toBe('idempotency_key_reused');
      expect(requests).toHaveLength(0);
    },
  );

  test('hands the work the claim of a request that was interrupted', async () => {
    const { call, clock, requests, claim } = await claimedBefore(NOON + 30 * SECOND);
    clock.now = NOON + 30 * SECOND;
    expect((await call(withKey('plan-417', { body: { saver: 'Tunde' } }))).body.code).toBe('idempotency_key_reused');
    expect((await call(withKey('plan-417'))).status).toBe(201);
    expect(requests[0]?.keyed).toMatchObject({ own: { scope: claim.scope, createdAt: clock.now }, lapsed: claim });
  });
});

describe('an API error that is not stored under an Idempotency-Key', () => {
  const NOT_STORED: readonly ApiErrorCode[] = [
    'validation_failed',
    'duplicate_merchant_reference',
    'delivery_in_progress',
    'provider_not_enabled',
    'rate_limited',
    'provider_busy',
  ];

  /** Makes a middleware chain whose work fails with `code` after an equal, concurrent request was answered. */
  const overtaken = (code: ApiErrorCode, other: Partial<StoredAnswer> = {}) => {
    const chain: Chain = chainOf({
      work: async ({ keyed }) => {
        const answer = { status: 201, body: JSON.stringify(makePlanReply('the first').body) };
        if (keyed)
          chain.answers.records.set(keyed.own.scope, { ...keyed.own, ...answer, requestId: 'gateway-0', ...other });
        throw new ApiError(code);
      },
    });
    return chain;
  };

  test.each(NOT_STORED)('gives way to the answer that an equal request has got meanwhile: %s', async (code) => {
    const { status, headers, body } = await overtaken(code).call(withKey('plan-417'));
    expect([status, headers['idempotent-replayed'], body]).toEqual([201, 'true', makePlanReply('the first').body]);
  });

  test('becomes a 422 if another request has used the key meanwhile', async () => {
    const { call } = overtaken('delivery_in_progress', { fingerprint: 'another' });
    expect((await call(withKey('plan-417'))).body.code).toBe('idempotency_key_reused');
  });

  test.each(NOT_STORED)('leaves the key free if no other request has used it: %s', async (code) => {
    let isRefused = true;
    const { call } = chainOf({
      work: async ({ body }) => {
        if (isRefused) throw new ApiError(code);
        return makePlanReply(body.saver);
      },
    });
    expect((await call(withKey('plan-417'))).body.code).toBe(code);
    isRefused = false;
    expect((await call(withKey('plan-417'))).status).toBe(201);
  });
});
