import { Webhook } from 'standardwebhooks';
import { longTest } from '#test/support/jest/long.ts';
import { call, eventually, type HttpAnswer, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

const outcome = ({ status, json }: HttpAnswer) => [status, json.code, json.message];
const NOT_FOUND = [404, 'event_not_found', 'Event not found.'];

type Delivery = {
  id: string;
  endpoint_id: string;
  status: string;
  attempts: unknown[];
  next_attempt_at: string | null;
};
type ShownEvent = { id: string; type: string; timestamp: string; deliveries: Delivery[] };

describe('events', () => {
  let target: Target;
  let merchant: Merchant;
  let receiver: Awaited<ReturnType<Merchant['listen']>>;

  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.stop());
  beforeEach(async () => {
    merchant = await openBusiness(target, 'Ada Stores Limited');
    receiver = await merchant.listen();
  });
  afterEach(() => receiver.stop());

  const pay = async (status?: 'failed'): Promise<void> => {
    const { reference } = (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference, status } });
  };
  const list = (query = '') => merchant.api('GET', `/events${query}`);
  /** Waits for `count` events in the list, which may lag by a second. */
  const awaitListed = (count: number, query = ''): Promise<ShownEvent[]> =>
    eventually(`the list has ${count} events`, async () => {
      const { data } = (await list(query)).json;
      return data.length >= count ? data : undefined;
    });
  const show = async (id: string): Promise<ShownEvent> => (await merchant.api('GET', `/events/${id}`)).json.data;
  const awaitSettled = (id: string, status: string, attempts: number): Promise<ShownEvent> =>
    eventually(`the delivery has ${attempts} attempts and is ${status}`, async () => {
      const shown = await show(id);
      const [delivery] = shown.deliveries;
      return delivery?.status === status && delivery.attempts.length === attempts ? shown : undefined;
    });
  const redeliver = (id: string, rest: Parameters<Merchant['api']>[2] = {}) =>
    merchant.api('POST', `/events/${id}/redeliver`, rest);
  const firstEvent = async (): Promise<string> => {
    const webhook = await eventually('the webhook arrives', () => receiver.received[0]);
    return String(webhook.headers['webhook-id']);
  };

  test('can be read exactly as they were sent, with deliveries and attempts', async () => {
    await pay();
    const shown = await awaitSettled(await firstEvent(), 'succeeded', 1);
    const { deliveries, ...event } = shown;
    expect(event).toEqual(JSON.parse(receiver.received[0]?.body ?? ''));
    const [endpoint] = (await merchant.api('GET', '/webhook-endpoints')).json.data;
    expect(deliveries).toEqual([
      {
        id: expect.stringMatching(/^dlv_[0-9A-Z]{26}$/),
        endpoint_id: endpoint.id,
        status: 'succeeded',
        attempts: [
          {
            number: 1,
            at: expect.stringMatching(TIME),
            status_code: 200,
            duration_ms: expect.any(Number),
            error: null,
            response: 'ok',
          },
        ],
        next_attempt_at: null,
      },
    ]);
    expect(await awaitListed(1)).toEqual([event]);
  });

  test('appear in the list once, newest first, page by page', async () => {
    for (let i = 0; i < 5; i++) await pay();
    const all = await awaitListed(5);
    expect(all.map(({ timestamp }) => timestamp)).toEqual([...all.map(({ timestamp }) => timestamp)].sort().reverse());
    const ids: string[] = [];
    let query = '?limit=2';
    for (let pages = 1; ; pages++) {
      const { data, meta } = (await list(query)).json;
      ids.push(...data.map(({ id }: ShownEvent) => id));
      expect(meta.has_more).toBe(meta.next_cursor !== null);
      if (!meta.has_more) {
        expect(pages).toBe(3);
        break;
      }
      query = `?limit=2&cursor=${meta.next_cursor}`;
    }
    expect(ids).toEqual(all.map(({ id }) => id));

    const { next_cursor } = (await list('?limit=2')).json.meta;
    const misused = await list(`?type=checkout.paid&cursor=${next_cursor}`);
    expect([misused.status, misused.json.errors]).toEqual([
      422,
      [{ field: 'cursor', message: 'cursor must be a cursor that this list gave you.' }],
    ]);
  });

  test('can be filtered by type, delivery status and start time', async () => {
    await pay();
    await pay('failed');
    const all = await awaitListed(2);
    for (const { id } of all) await awaitSettled(id, 'succeeded', 1);
    receiver.answer((response) => response.writeHead(500).end());
    await pay();
    const [waiting] = await awaitListed(3);
    await awaitSettled(waiting?.id ?? '', 'pending', 1);

    const ids = async (query: string) => (await list(query)).json.data.map(({ id }: ShownEvent) => id);
    const [failed, paid] = all.map(({ id }) => id);
    expect(await ids('?type=checkout.paid')).toEqual([waiting?.id, paid]);
    expect(await ids('?type=checkout.expired')).toEqual([]);
    expect(await ids('?delivery_status=succeeded')).toEqual([failed, paid]);
    expect(await ids('?delivery_status=pending')).toEqual([waiting?.id]);
    const [newest, older] = (await list('?deliveries=true')).json.data;
    expect(newest).toMatchObject({ id: waiting?.id, deliveries: [{ status: 'pending' }] });
    expect(Object.keys(newest.deliveries[0])).toEqual(['id', 'endpoint_id', 'status', 'next_attempt_at']);
    expect(older).toMatchObject({ id: failed, deliveries: [{ status: 'succeeded', next_attempt_at: null }] });
    expect((await list('')).json.data[0]).not.toHaveProperty('deliveries');
    expect(await ids('?delivery_status=succeeded&type=checkout.failed')).toEqual([failed]);
    expect(await ids(`?since=${all[0]?.timestamp}`)).toEqual([waiting?.id, failed]);
    expect(await ids('?since=2100-01-01T00:00:00Z')).toEqual([]);
    const first = (await list('?type=checkout.paid&limit=1')).json;
    expect(first.data.map(({ id }: ShownEvent) => id)).toEqual([waiting?.id]);
    const rest = (await list(`?type=checkout.paid&limit=1&cursor=${first.meta.next_cursor}`)).json;
    expect(rest.data.map(({ id }: ShownEvent) => id)).toEqual([paid]);
  });

  test('reject an invalid filter, and the error names the parameter', async () => {
    for (const [query, field, message] of [
      ['type=checkout.payed', 'type', /^type must be one of checkout\.paid, /],
      ['delivery_status=lost', 'delivery_status', /^delivery_status must be one of pending, delivering, parked, /],
      ['since=yesterday', 'since', /^since must be an ISO 8601 time with its zone, such as \S+Z\.$/],
      ['since=2026-11-24T00:00:00+01:00', 'since', /such as \S+Z\. In a URL, write \+ as %2B\.$/],
      ['deliveries=yes', 'deliveries', /^deliveries must be true or false\.$/],
      ['limit=101', 'limit', /^limit must be a whole number from 1 to 100\.$/],
    ]) {
      const answer = await list(`?${query}`);
      expect([query, answer.status, answer.json.code]).toEqual([query, 422, 'validation_failed']);
      expect(answer.json.errors).toEqual([{ field, message: expect.stringMatching(message ?? '') }]);
    }
  });

  longTest('lose the waiting retry when they are redelivered after a failure', async () => {
    receiver.answer((response) => response.writeHead(500).end('down'));
    await pay();
    const id = await firstEvent();
    const failed = await awaitSettled(id, 'pending', 1);
    expect(failed.deliveries[0]?.next_attempt_at).toMatch(TIME);
    receiver.answer((response) => response.writeHead(204).end());
    const answer = await redeliver(id);
    expect(answer.status).toBe(202);
    expect(answer.json.data.id).toBe(id);
    const done = await awaitSettled(id, 'succeeded', 2);
    expect(done.deliveries[0]?.attempts).toMatchObject([
      { number: 1, status_code: 500, error: null, response: 'down' },
      { number: 2, status_code: 204, error: null, response: '' },
    ]);
    // Wait longer than the gap of the replaced retry: 5 s, with a jitter of a fifth.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(receiver.received).toHaveLength(2);
  });

  test('can be redelivered after a success with the same id and bytes, newly signed, once per Idempotency-Key', async () => {
    await pay();
    const id = await firstEvent();
    await awaitSettled(id, 'succeeded', 1);
    const [endpoint] = (await merchant.api('GET', '/webhook-endpoints')).json.data;
    const rest = { body: { endpoint_id: endpoint.id }, headers: { 'idempotency-key': 'again' } };
    const answer = await redeliver(id, rest);
    expect([answer.status, Object.keys(answer.json.data)]).toEqual([
      202,
      ['id', 'type', 'timestamp', 'mode', 'business_id', 'data', 'deliveries'],
    ]);
    const done = await awaitSettled(id, 'succeeded', 2);
    expect(done.deliveries[0]?.attempts).toMatchObject([
      { number: 1, status_code: 200 },
      { number: 2, status_code: 200 },
    ]);
    const replayed = await redeliver(id, rest);
    expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([answer.text, 'true']);
    const other = await redeliver(id, { headers: rest.headers });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    await new Promise((resolve) => setTimeout(resolve, 300));

    const [first, second, ...more] = receiver.received;
    expect(more).toHaveLength(0);
    expect([second?.body, second?.headers['webhook-id']]).toEqual([first?.body, id]);
    for (const webhook of [first, second]) {
      new Webhook(receiver.secret).verify(webhook?.body ?? '', webhook?.headers as Record<string, string>);
    }
  });

  test('can be redelivered to an endpoint that was created later', async () => {
    await pay();
    const id = await firstEvent();
    const late = await merchant.listen('checkout.expired');
    const [endpoint] = (await merchant.api('GET', '/webhook-endpoints')).json.data;
    const answer = await redeliver(id, { body: { endpoint_id: endpoint.id } });
    expect([answer.status, answer.json.data.deliveries.length]).toEqual([202, 2]);
    const webhook = await eventually('the webhook arrives at the later endpoint', () => late.received[0]);
    expect(webhook.body).toBe(receiver.received[0]?.body);
    new Webhook(late.secret).verify(webhook.body, webhook.headers as Record<string, string>);
    expect(receiver.received).toHaveLength(1);
    await late.stop();
  });

  test('cannot be redelivered during a delivery: the answer is 409 and names the endpoint', async () => {
    let release = (): void => {};
    receiver.answer((response) => {
      release = () => response.writeHead(200).end();
    });
    await pay();
    const id = await firstEvent();
    const [endpoint] = (await merchant.api('GET', '/webhook-endpoints')).json.data;
    const answer = await redeliver(id);
    expect(outcome(answer)).toEqual([409, 'delivery_in_progress', 'A delivery of this event is in progress.']);
    expect(answer.json.errors).toEqual([
      { field: 'endpoint_id', message: `The delivery to ${endpoint.id} is in progress.` },
    ]);
    expect((await show(id)).deliveries[0]).toMatchObject({ status: 'delivering', attempts: [], next_attempt_at: null });
    release();
    await awaitSettled(id, 'succeeded', 1);
  });

  test('cannot be redelivered to an endpoint that is disabled, deleted, unknown or of the other mode', async () => {
    const live = await call(target, 'POST', '/api/v1/webhook-endpoints', {
      key: merchant.secretLive.key,
      body: { url: receiver.url },
    });
    await pay();
    const id = await firstEvent();
    await awaitSettled(id, 'succeeded', 1);
    const [endpoint] = (await merchant.api('GET', '/webhook-endpoints')).json.data;
    const body = { endpoint_id: endpoint.id };
    await merchant.api('PATCH', `/webhook-endpoints/${endpoint.id}`, { body: { enabled: false } });
    expect((await redeliver(id, { body })).json.errors).toEqual([
      {
        field: 'endpoint_id',
        message: 'endpoint_id names a webhook endpoint that is switched off. Enable it first.',
      },
    ]);
    const all = await redeliver(id);
    expect([all.status, all.json.errors]).toEqual([
      422,
      [
        {
          field: 'endpoint_id',
          message: 'endpoint_id is required: every endpoint that this event was sent to is switched off or deleted.',
        },
      ],
    ]);
    await merchant.api('DELETE', `/webhook-endpoints/${endpoint.id}`);
    for (const endpoint_id of [endpoint.id, live.json.data.id, 'whe_01KDVDNX1Q0Y8J6W6KZ0H3S5TA', 'x']) {
      expect(outcome(await redeliver(id, { body: { endpoint_id } }))).toEqual([
        404,
        'webhook_endpoint_not_found',
        'Webhook endpoint not found.',
      ]);
    }
    const wrongType = await redeliver(id, { body: { endpoint_id: 5 } });
    expect(wrongType.json.errors).toEqual([
      { field: 'endpoint_id', message: 'endpoint_id must be the id of a webhook endpoint.' },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  test('cannot be found by a malformed id', async () => {
    const path = `/events/${'x'.repeat(300)}`;
    expect(outcome(await merchant.api('GET', path))).toEqual(NOT_FOUND);
    expect(outcome(await merchant.api('POST', `${path}/redeliver`))).toEqual(NOT_FOUND);
  });
});
