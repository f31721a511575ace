import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { call, eventually, type HttpAnswer, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Received, type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const URL = 'https://hooks.ada.example/in';

const outcome = ({ status, json }: HttpAnswer) => [status, json.code, json.message];
const NOT_FOUND = [404, 'webhook_endpoint_not_found', 'Webhook endpoint not found.'];
const openai = new OpenAI({ apiKey: 'unused' });
/** Tells whether a webhook is signed with a secret. Two independent libraries must agree. */
const isSignedWith = async (secret: string, webhook: Received | undefined): Promise<boolean> => {
  const body = webhook?.body ?? '';
  const headers = webhook?.headers as Record<string, string>;
  const verdicts = await Promise.all(
    [
      async () => new Webhook(secret).verify(body, headers),
      () => openai.webhooks.verifySignature(body, headers, secret),
    ].map((verify) =>
      verify().then(
        () => true,
        () => false,
      ),
    ),
  );
  expect(new Set(verdicts).size).toBe(1);
  return verdicts[0] === true;
};
const checkSecrets = (secrets: string[], webhook: Received | undefined) =>
  Promise.all(secrets.map((secret) => isSignedWith(secret, webhook)));

/** Additional fields of an answer with a single endpoint. */
const HEALTHY = {
  health: { status: 'healthy', failing_since: null, last_failed_event_id: null, parked: 0 },
  previous_secret_until: null,
};

describe('webhook endpoints', () => {
  let target: Target;
  let merchant: Merchant;
  let receiver: Receiver;

  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.stop());
  beforeEach(async () => {
    [merchant, receiver] = await Promise.all([openBusiness(target, 'Ada Stores Limited'), startReceiver()]);
  });
  afterEach(() => receiver.stop());

  const LOCAL = 'This URL works on this machine only. A deployed stage accepts https URLs of public hosts.';
  const create = async (body: Record<string, unknown> = { url: receiver.url }) =>
    (await merchant.api('POST', '/webhook-endpoints', { body })).json.data;
  const awaitReceived = (count: number) =>
    eventually(`${count} webhooks have arrived`, () =>
      receiver.received.length >= count ? receiver.received : undefined,
    );

  test('may have a local URL, and the answer notes that no stage accepts it', async () => {
    const created = await merchant.api('POST', '/webhook-endpoints', { body: { url: receiver.url } });
    expect(created.json.message).toBe(`Webhook endpoint created. Its secret is shown only this once. ${LOCAL}`);
    const path = `/webhook-endpoints/${created.json.data.id}`;
    expect((await merchant.api('PATCH', path, { body: { events: ['*'] } })).json).not.toHaveProperty('message');
    expect((await merchant.api('PATCH', path, { body: { url: URL } })).json).not.toHaveProperty('message');
    expect((await merchant.api('PATCH', path, { body: { url: receiver.url } })).json.message).toBe(LOCAL);
  });

  test('can be created, shown and listed; only the first answer has the secret', async () => {
    const answer = await merchant.api('POST', '/webhook-endpoints', {
      body: { url: URL, events: ['checkout.paid', 'checkout.paid', 'checkout.failed'] },
    });
    expect(answer.status).toBe(201);
    const { secret, ...view } = answer.json.data;
    expect(answer.json.message).toBe('Webhook endpoint created. Its secret is shown only this once.');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(view).toEqual({
      id: expect.stringMatching(/^whe_[0-9A-Z]{26}$/),
      url: URL,
      mode: 'test',
      events: ['checkout.paid', 'checkout.failed'],
      enabled: true,
      disabled_reason: null,
      created_at: expect.stringMatching(TIME),
    });
    const everything = await create({ url: URL });
    expect(everything.events).toEqual(['*']);

    const shown = await merchant.api('GET', `/webhook-endpoints/${view.id}`);
    expect([shown.status, shown.json]).toEqual([200, { status: true, data: { ...view, ...HEALTHY } }]);
    const listed = await merchant.api('GET', '/webhook-endpoints');
    expect(listed.status).toBe(200);
    expect(listed.json.meta).toEqual({ has_more: false, next_cursor: null });
    expect(listed.json.data.map(({ id }: { id: string }) => id)).toEqual([everything.id, view.id]);
    expect(shown.text + listed.text).not.toContain('whsec_');
  });

  const EVENTS_RULE = /^events must be \["\*"\] or a list of event types: checkout\.paid, /;
  testRows([
    ['no URL', {}, 'url', 'url is required and must be a string.'],
    [
      'the scheme ftp',
      { url: 'ftp://ada.example' },
      'url',
      'url must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
    ],
    [
      'a password in the URL',
      { url: 'https://ada:pass@ada.example' },
      'url',
      'url must hold no user name or password.',
    ],
    [
      'a space in the URL',
      { url: ` ${URL}` },
      'url',
      'url must hold no spaces, control characters, unpaired surrogates or backslashes.',
    ],
    ['a long URL', { url: `${URL}/${'x'.repeat(2_048)}` }, 'url', 'url must have at most 2,048 characters.'],
    ['an unknown event', { url: URL, events: ['checkout.payed'] }, 'events', EVENTS_RULE],
    ['* beside an event', { url: URL, events: ['*', 'checkout.paid'] }, 'events', EVENTS_RULE],
    ['no event', { url: URL, events: [] }, 'events', EVENTS_RULE],
    ['one event many times', { url: URL, events: Array(3_000).fill('checkout.paid') }, 'events', EVENTS_RULE],
    ['events that are no list', { url: URL, events: '*' }, 'events', EVENTS_RULE],
  ])('cannot be created with %s', async (_, body, field, message) => {
    const answer = await merchant.api('POST', '/webhook-endpoints', { body });
    expect(outcome(answer)).toEqual([422, 'validation_failed', 'The given data was invalid.']);
    expect(answer.json.errors).toEqual([
      { field, message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ]);
  });

  test('report all errors of a request at once', async () => {
    const body = { url: 'ftp://ada.example', events: ['checkout.payed'] };
    const { id } = (await merchant.api('POST', '/webhook-endpoints', { body: { url: URL } })).json.data;
    for (const answer of [
      await merchant.api('POST', '/webhook-endpoints', { body }),
      await merchant.api('PATCH', `/webhook-endpoints/${id}`, { body }),
    ]) {
      expect(outcome(answer)).toEqual([422, 'validation_failed', 'The given data was invalid.']);
      expect(answer.json.errors.map(({ field }: { field: string }) => field)).toEqual(['url', 'events']);
    }
    await merchant.api('DELETE', `/webhook-endpoints/${id}`);
  });

  longTest('number at most five per mode, even if eight are created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => merchant.api('POST', '/webhook-endpoints', { body: { url: URL } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused && outcome(refused)).toEqual([
      409,
      'endpoint_limit_reached',
      'A mode can have at most 5 webhook endpoints.',
    ]);
    const live = await call(target, 'POST', '/api/v1/webhook-endpoints', {
      key: merchant.secretLive.key,
      body: { url: URL },
    });
    expect([live.status, live.json.data.mode]).toEqual([201, 'live']);
    const [first] = (await merchant.api('GET', '/webhook-endpoints')).json.data;
    await merchant.api('DELETE', `/webhook-endpoints/${first.id}`);
    expect((await merchant.api('POST', '/webhook-endpoints', { body: { url: URL } })).status).toBe(201);
  });

  longTest('accept many simultaneous changes, one after the other', async () => {
    const { id } = await create({ url: URL });
    const path = `/webhook-endpoints/${id}`;
    const changes = Array.from({ length: 12 }, (_, i) =>
      merchant.api('PATCH', path, { body: { enabled: i % 2 === 0 } }),
    );
    const rotations = Array.from({ length: 12 }, () => merchant.api('POST', `${path}/rotate-secret`, { body: {} }));
    const answers = await Promise.all([...changes, ...rotations]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  test('can get another URL and other events, and an absent or null field stays', async () => {
    const { secret: _, ...before } = await create({ url: URL, events: ['checkout.failed'] });
    const path = `/webhook-endpoints/${before.id}`;
    const moved = await merchant.api('PATCH', path, { body: { url: receiver.url, events: null } });
    expect([moved.status, moved.json.data]).toEqual([200, { ...before, url: receiver.url }]);
    const widened = await merchant.api('PATCH', path, { body: { events: ['*'] } });
    expect(widened.json.data).toEqual({ ...before, url: receiver.url, events: ['*'] });
    expect((await merchant.api('GET', path)).json.data).toEqual({ ...widened.json.data, ...HEALTHY });
    expect(moved.text + widened.text).not.toContain('whsec_');

    const { reference } = (
      await merchant.api('POST', '/checkout/initialize', {
        body: { amount: 100, payer_email: 'ngozi.eze@example.com' },
      })
    ).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    const [webhook] = await awaitReceived(1);
    expect(JSON.parse(webhook?.body ?? '').type).toBe('checkout.paid');

    const refused = await merchant.api('PATCH', path, { body: { url: 'nowhere', enabled: false } });
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      [
        {
          field: 'url',
          message:
            'url must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
        },
      ],
    ]);
    const wrongType = await merchant.api('PATCH', path, { body: { enabled: 'no' } });
    expect(wrongType.json.errors).toEqual([{ field: 'enabled', message: 'enabled must be true or false.' }]);
    expect((await merchant.api('GET', path)).json.data).toEqual({ ...widened.json.data, ...HEALTHY });
  });

  test('get an event when another endpoint is disabled, and get new events again after they are enabled again', async () => {
    const endpoint = await create({ url: URL });
    const other = await create({ url: receiver.url });
    const path = `/webhook-endpoints/${endpoint.id}`;
    const off = await merchant.api('PATCH', path, { body: { enabled: false } });
    expect(off.json.data).toMatchObject({ enabled: false, disabled_reason: 'Switched off by the business.' });
    const [notified] = await awaitReceived(1);
    expect(JSON.parse(notified?.body ?? '')).toMatchObject({ type: 'endpoint.disabled', data: off.json.data });
    expect(await isSignedWith(other.secret, notified)).toBe(true);

    for (const [method, action, body] of [
      ['POST', '/test', undefined],
      ['POST', '/recover', { since: '2026-01-01T00:00:00Z' }],
    ] as const) {
      const answer = await merchant.api(method, path + action, { body });
      expect([answer.status, answer.json.code, answer.json.errors]).toEqual([
        422,
        'validation_failed',
        [{ field: 'id', message: 'id names a webhook endpoint that is switched off. Enable it first.' }],
      ]);
    }
    await merchant.api('PATCH', path, { body: { enabled: false } });
    const on = await merchant.api('PATCH', path, { body: { enabled: true, url: receiver.url } });
    expect(on.json.data).toEqual({ ...off.json.data, url: receiver.url, enabled: true, disabled_reason: null });
    expect((await merchant.api('POST', `${path}/test`)).status).toBe(201);
    const [, test] = await awaitReceived(2);
    expect(await isSignedWith(endpoint.secret, test)).toBe(true);
    // Disabling the disabled endpoint again announced nothing.
    expect(receiver.received).toHaveLength(2);
  });

  longTest('lose their waiting retries when they are deleted', async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const { secret: _, ...endpoint } = await create();
    const path = `/webhook-endpoints/${endpoint.id}`;
    const event = (await merchant.api('POST', `${path}/test`)).json.data;
    await awaitReceived(1);
    const deleted = await merchant.api('DELETE', path);
    expect([deleted.status, deleted.json]).toEqual([
      200,
      { status: true, message: 'Webhook endpoint deleted.', data: endpoint },
    ]);
    for (const method of ['GET', 'DELETE']) expect(outcome(await merchant.api(method, path))).toEqual(NOT_FOUND);
    expect((await merchant.api('GET', '/webhook-endpoints')).json.data).toEqual([]);
    await eventually(
      'the retry is cancelled',
      async () => (await merchant.api('GET', `/events/${event.id}`)).json.data.deliveries[0].status === 'cancelled',
    );
    expect(receiver.received).toHaveLength(1);
  });

  test('sign with the old and the new secret after a rotation, never with more than two, and with grace_seconds 0 only with the new one', async () => {
    const { secret: first, ...endpoint } = await create();
    const path = `/webhook-endpoints/${endpoint.id}`;
    const rotate = (body?: Record<string, unknown>) => merchant.api('POST', `${path}/rotate-secret`, { body });
    const nextWebhook = async () => {
      const count = receiver.received.length + 1;
      await merchant.api('POST', `${path}/test`);
      return (await awaitReceived(count))[count - 1];
    };

    const rotated = await rotate();
    const { secret: second, ...view } = rotated.json.data;
    expect([rotated.status, rotated.json.message, view]).toEqual([
      200,
      'Secret rotated. The new one is shown only this once.',
      endpoint,
    ]);
    let webhook = await nextWebhook();
    expect(await checkSecrets([first, second], webhook)).toEqual([true, true]);
    expect(String(webhook?.headers['webhook-signature']).split(' ')).toHaveLength(2);

    const { secret: third } = (await rotate({ grace_seconds: 604_800 })).json.data;
    webhook = await nextWebhook();
    expect(await checkSecrets([first, second, third], webhook)).toEqual([false, true, true]);

    const { secret: fourth } = (await rotate({ grace_seconds: 0 })).json.data;
    webhook = await nextWebhook();
    expect(await checkSecrets([second, third, fourth], webhook)).toEqual([false, false, true]);

    for (const [grace_seconds, message] of [
      [-1, 'grace_seconds must be at least 0.'],
      [604_801, 'grace_seconds must be at most 604800, which is seven days.'],
      [1.5, 'grace_seconds must be a whole number of seconds.'],
    ]) {
      const refused = await rotate({ grace_seconds });
      expect([refused.status, refused.json.errors]).toEqual([422, [{ field: 'grace_seconds', message }]]);
    }
  });

  test('ignore the Idempotency-Key at creation, so that no secret is stored under it', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const created = [
      await merchant.api('POST', '/webhook-endpoints', { body: { url: URL }, headers }),
      await merchant.api('POST', '/webhook-endpoints', { body: { url: URL }, headers }),
    ];
    expect(created.map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, null]);
    expect(new Set(created.map(({ json }) => json.data.id)).size).toBe(2);
  });

  test('get a signed test event that no other endpoint gets, whatever events they subscribe to', async () => {
    const otherReceiver = await startReceiver();
    await create({ url: otherReceiver.url });
    const endpoint = await create({ url: receiver.url, events: ['checkout.expired'] });
    const path = `/webhook-endpoints/${endpoint.id}/test`;
    const headers = { 'idempotency-key': 'test-1' };
    const sent = await merchant.api('POST', path, { headers });
    expect([sent.status, sent.json]).toEqual([
      201,
      {
        status: true,
        message: 'A test event is on its way.',
        data: {
          id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
          type: 'endpoint.test',
          timestamp: expect.stringMatching(TIME),
          mode: 'test',
          business_id: merchant.id,
          data: { message: 'This is a test. Nothing happened, and nothing needs to be done.' },
        },
      },
    ]);
    const again = await merchant.api('POST', path, { headers });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([sent.text, 'true']);
    const [webhook] = await awaitReceived(1);
    expect(webhook?.headers['webhook-id']).toBe(sent.json.data.id);
    expect(JSON.parse(webhook?.body ?? '')).toEqual(sent.json.data);
    expect(await isSignedWith(endpoint.secret, webhook)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([receiver.received.length, otherReceiver.received.length]).toEqual([1, 0]);
    await otherReceiver.stop();
  });

  test('require since for a recovery, which is 202 if there is nothing to send', async () => {
    const path = `/webhook-endpoints/${(await create()).id}/recover`;
    const answer = await merchant.api('POST', path, { body: { since: '2026-01-01T00:00:00+01:00' } });
    expect([answer.status, answer.json]).toEqual([
      202,
      {
        status: true,
        message: 'There is nothing to send again.',
        data: { recovered: 0, more: false, next_since: null },
      },
    ]);
    const rule = 'must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.';
    for (const [body, message] of [
      [{}, `since is required and ${rule}`],
      [{ since: 'yesterday' }, `since ${rule}`],
      [{ since: '2026-01-01T00:00:00' }, `since ${rule}`],
    ]) {
      const refused = await merchant.api('POST', path, { body });
      expect([refused.status, refused.json.errors]).toEqual([422, [{ field: 'since', message }]]);
    }
  });

  test('cannot be found by a malformed id', async () => {
    const path = `/webhook-endpoints/${'x'.repeat(300)}`;
    expect(outcome(await merchant.api('GET', path))).toEqual(NOT_FOUND);
    expect(outcome(await merchant.api('DELETE', path))).toEqual(NOT_FOUND);
  });
});
