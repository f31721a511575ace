import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { longTest } from '#test/support/jest/long.ts';
import { toEventCheckout } from '#test/support/worlds/answers.ts';
import { call, eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import type { Received } from '#test/support/worlds/receiver.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const PAYER = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };

describe('a checkout in test mode', () => {
  let target: Target;
  let merchant: Merchant;
  let webhooks: Awaited<ReturnType<Merchant['listen']>>;

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
    webhooks = await merchant.listen();
  });
  afterAll(async () => {
    await webhooks.stop();
    await target.stop();
  });

  const initialize = async (more: Record<string, unknown> = {}) => {
    const answer = await merchant.api('POST', '/checkout/initialize', { body: { ...PAYER, ...more } });
    expect(answer.status).toBe(201);
    return answer.json.data;
  };
  const simulate = (body: Record<string, unknown>) => merchant.api('POST', '/checkout/sandbox/simulate', { body });
  const verify = async (reference: string) => (await merchant.api('GET', `/checkout/verify/${reference}`)).json;
  const listEvents = (reference: string): { type: string; data: Record<string, unknown>; raw: Received }[] =>
    webhooks.received
      .map((raw) => ({ ...JSON.parse(raw.body), raw }))
      .filter(({ data }) => data.reference === reference);
  const awaitWebhook = (reference: string, type: string) =>
    eventually(`the webhook ${type} arrives for ${reference}`, () =>
      listEvents(reference).find((event) => event.type === type),
    );

  test('appears in full in the answer of initialize, with the ten fields of the service description first', async () => {
    const checkout = await initialize({
      payer_name: 'Ngozi Eze',
      merchant_reference: 'INV-2026-0117',
      metadata: { order: 117, items: ['Ankara, 6 yards'], gift: false },
      description: 'Order 117',
      callback_url: 'https://shop.example.ng/done?order=117',
      provider: 'monnify',
      expires_in: 900,
    });
    expect(Object.keys(checkout)).toEqual([
      ...['mode', 'reference', 'amount', 'status', 'paid', 'payer_email', 'paid_amount', 'paid_at', 'sender_name'],
      ...[
        'sender_bank',
        'currency',
        'created_with',
        'checkout_url',
        'callback_url',
        'cancel_url',
        'description',
        'amount_to_pay',
        'provider',
        'account_number',
        'account_name',
        'bank_name',
      ],
      ...['bank_code', 'payer_name', 'merchant_reference', 'metadata', 'expires_at', 'created_at', 'version'],
      'payments',
      'difference',
      'accounts',
    ]);
    expect(checkout).toMatchObject({
      mode: 'test',
      reference: expect.stringMatching(/^PAY-[0-9A-Z]{20}$/),
      amount: 8_500.75,
      status: 'pending',
      paid: false,
      payer_email: 'ngozi.eze@example.com',
      paid_amount: 0,
      paid_at: null,
      sender_name: null,
      sender_bank: null,
      currency: 'NGN',
      created_with: 'secret',
      // The service uses its own host name: behind an emulator it differs from the address that the test calls.
      checkout_url: expect.stringMatching(new RegExp(`^https?://[^/]+/pay/${checkout.reference}\\.[\\w-]{22}$`)),
      callback_url: 'https://shop.example.ng/done?order=117',
      cancel_url: null,
      description: 'Order 117',
      amount_to_pay: 8_500.75,
      provider: 'monnify',
      account_number: expect.stringMatching(/^\d{10}$/),
      // A payer's bank shows this name.
      account_name: 'Ada Stores Limited',
      bank_name: 'Sandbox Bank (monnify)',
      bank_code: null,
      payer_name: 'Ngozi Eze',
      merchant_reference: 'INV-2026-0117',
      metadata: { order: 117, items: ['Ankara, 6 yards'], gift: false },
      expires_at: expect.stringMatching(ISO),
      created_at: expect.stringMatching(ISO),
      version: 1,
      payments: [],
      difference: -8_500.75,
      accounts: [
        {
          provider: 'monnify',
          account_number: checkout.account_number,
          account_name: 'Ada Stores Limited',
          bank_name: 'Sandbox Bank (monnify)',
          bank_code: null,
          amount_to_pay: 8_500.75,
          expires_at: checkout.expires_at,
          current: true,
        },
      ],
    });
    expect(Date.parse(checkout.expires_at) - Date.parse(checkout.created_at)).toBe(900_000);
  });

  test('becomes paid by a simulated payment; verify and the webhook agree, and two libraries accept the signature', async () => {
    const { reference } = await initialize();
    const answer = await simulate({ reference });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      status: true,
      data: { status: 'paid', paid: true, paid_amount: 8_500.75, paid_at: expect.stringMatching(ISO) },
    });
    const verified = await verify(reference);
    expect(verified).toEqual({ status: true, data: answer.json.data });

    const { raw, ...event } = await awaitWebhook(reference, 'checkout.paid');
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
      type: 'checkout.paid',
      timestamp: expect.stringMatching(ISO),
      mode: 'test',
      business_id: merchant.id,
      data: toEventCheckout(verified.data),
    });
    const headers = raw.headers as Record<string, string>;
    expect(headers['webhook-id']).toBe((event as unknown as { id: string }).id);
    expect(new Webhook(webhooks.secret).verify(raw.body, headers)).toMatchObject({ type: 'checkout.paid' });
    await new OpenAI({ apiKey: 'unused' }).webhooks.verifySignature(raw.body, headers, webhooks.secret);
    expect(() => new Webhook(webhooks.secret).verify(raw.body.replace('8500.75', '8500.76'), headers)).toThrow();
  });

  test('accepts simulations with an amount and a sender: an underpayment, then an overpayment', async () => {
    const { reference } = await initialize({ amount: 1_000 });
    const under = await simulate({ reference, amount: 400.5, sender_name: 'Bola Ade', sender_bank: 'Kuda MFB' });
    expect(under.json.data).toMatchObject({ status: 'underpaid', paid: false, paid_amount: 400.5, paid_at: null });
    await awaitWebhook(reference, 'checkout.underpaid');

    const over = await simulate({ reference, amount: 700, sender_name: 'Chidi Obi', sender_bank: 'GTBank' });
    expect(over.json.data).toMatchObject({
      status: 'paid',
      paid_amount: 1_100.5,
      sender_name: 'Chidi Obi',
      sender_bank: 'GTBank',
      version: 3,
      payments: [
        { amount: 700, outcome: 'accepted', late: false, sender_name: 'Chidi Obi' },
        { amount: 400.5, outcome: 'accepted', sender_bank: 'Kuda MFB' },
      ],
    });
    await awaitWebhook(reference, 'checkout.paid');
  });

  test('marks a simulated late payment: it is paid now, and the checkout’s expiry moves before it', async () => {
    const { reference, created_at, expires_at } = await initialize();
    const { data } = (await simulate({ reference, late: true })).json;
    expect(data).toMatchObject({ status: 'paid', version: 2, payments: [{ late: true, paid_at: data.paid_at }] });
    const [created, ended, paid] = [created_at, data.expires_at, data.paid_at].map((at) => Date.parse(at));
    expect([Number(created) <= Number(ended), Number(ended) < Number(paid)]).toEqual([true, true]);
    // The checkout would have been open for half an hour.
    expect(Number(paid)).toBeLessThan(Date.parse(expires_at));
  });

  test.each([
    ['GET', '/checkout/verify/ORDER-2026-00417', undefined],
    ['POST', '/checkouts/ORDER-2026-00417/requery', undefined],
    ['POST', '/checkouts/ORDER-2026-00417/expire', undefined],
    ['POST', '/checkout/sandbox/simulate', { reference: 'ORDER-2026-00417' }],
  ] as const)(
    'cannot be found by its merchant_reference, and the error points to the list: %s %s',
    async (method, path, body) => {
      const { status, json } = await merchant.api(method, path, { body });
      expect([status, json.code]).toEqual([404, 'checkout_not_found']);
      expect(json.message).toMatch(/^Checkout not found\. .* GET \/api\/v1\/checkouts\?merchant_reference=/);
    },
  );

  test('announces a simulated failure, and rejects simulations when it is failed or paid', async () => {
    const { reference } = await initialize();
    expect((await simulate({ reference, status: 'failed' })).json.data).toMatchObject({
      status: 'failed',
      paid: false,
    });
    await awaitWebhook(reference, 'checkout.failed');
    for (const status of ['success', 'failed']) {
      const refused = await simulate({ reference, status });
      expect([refused.status, refused.json]).toEqual([
        409,
        {
          status: false,
          message: 'Checkout is already failed.',
          code: 'checkout_not_payable',
          request_id: expect.any(String),
        },
      ]);
    }
    const paid = await initialize();
    await simulate({ reference: paid.reference });
    expect((await simulate({ reference: paid.reference })).json.message).toBe('Checkout is already paid.');
  });

  longTest('announces that it has expired, and a payment after that still counts, marked as late', async () => {
    const { reference } = await initialize({ expires_in: 1 });
    await awaitWebhook(reference, 'checkout.expired');
    expect((await verify(reference)).data.status).toBe('expired');
    expect((await simulate({ reference })).json.data).toMatchObject({ status: 'paid', payments: [{ late: true }] });
    await awaitWebhook(reference, 'checkout.paid');
    expect(listEvents(reference).map(({ data }) => data.version)).toEqual(expect.arrayContaining([2, 3]));
  });

  test('can be initialized with a public key and the business id', async () => {
    const opened = await merchant.api('POST', '/checkout/initialize', {
      body: PAYER,
      headers: { authorization: `Bearer ${merchant.publicTest.key}`, 'x-business-id': merchant.id },
    });
    expect(opened.status).toBe(201);
    expect((await verify(opened.json.data.reference)).data.mode).toBe('test');
  });

  const byBrowser = (body: Record<string, unknown>) =>
    merchant.api('POST', '/checkout/initialize', {
      body: { ...PAYER, ...body },
      headers: { authorization: `Bearer ${merchant.publicTest.key}`, 'x-business-id': merchant.id },
    });

  test('keeps a merchant_reference from a server unique until the checkout ends, and the 409 says how to end it', async () => {
    const body = { ...PAYER, merchant_reference: 'INV-2026-0118' };
    const opened = await initialize(body);
    const again = await merchant.api('POST', '/checkout/initialize', { body });
    const path = `/api/v1/checkouts/${opened.reference}/expire`;
    expect([again.status, again.json.code, again.json.message]).toEqual([
      409,
      'duplicate_merchant_reference',
      `merchant_reference was used before, by checkout ${opened.reference}, which waits for money. POST ${path} ends it, and merchant_reference is free again.`,
    ]);
    const find = async (text: string) => (await merchant.api('GET', `/checkouts?merchant_reference=${text}`)).json;
    expect(await find('INV-2026-0118')).toEqual({
      status: true,
      data: [opened],
      meta: { has_more: false, next_cursor: null },
    });

    const ended = await merchant.api('POST', `/checkouts/${opened.reference}/expire`);
    expect([ended.status, ended.json]).toEqual([
      200,
      { status: true, data: { ...opened, status: 'expired', version: 2 } },
    ]);
    await awaitWebhook(opened.reference, 'checkout.expired');
    const next = await initialize(body);
    expect((await find('INV-2026-0118')).data).toEqual([next, ended.json.data]);
    expect((await find('INV-1999')).data).toEqual([]);

    // Money for the old checkout stays with it, and both checkouts send their events.
    for (const { reference } of [opened, next]) {
      await simulate({ reference });
      await awaitWebhook(reference, 'checkout.paid');
    }
    const refused = await merchant.api('POST', `/checkouts/${opened.reference}/expire`);
    expect([refused.status, refused.json.code, refused.json.message]).toEqual([
      409,
      'checkout_not_payable',
      'Checkout is already paid.',
    ]);
  });

  test('is only labelled by a merchant_reference from a browser: the label never collides, and is listed last', async () => {
    const order = { merchant_reference: 'INV-2026-0119' };
    const first = await byBrowser(order);
    const byServer = await initialize(order);
    const second = await byBrowser(order);
    expect([first.status, second.status]).toEqual([201, 201]);
    const { data } = (await merchant.api('GET', '/checkouts?merchant_reference=INV-2026-0119')).json;
    expect(data.map((checkout: Record<string, unknown>) => [checkout.reference, checkout.created_with])).toEqual([
      [byServer.reference, 'secret'],
      [second.json.data.reference, 'public'],
      [first.json.data.reference, 'public'],
    ]);
  });

  test('can be started by a server with an Idempotency-Key that a browser used', async () => {
    const headers = { 'idempotency-key': 'INV-2026-0120' };
    const authorization = `Bearer ${merchant.publicTest.key}`;
    const taken = await merchant.api('POST', '/checkout/initialize', {
      body: { ...PAYER, amount: 1 },
      headers: { ...headers, authorization, 'x-business-id': merchant.id },
    });
    const byServer = await merchant.api('POST', '/checkout/initialize', { body: PAYER, headers });
    expect([taken.status, byServer.status, byServer.json.data.amount]).toEqual([201, 201, PAYER.amount]);
  });

  test('appears once when the list is paged, newest first, and a foreign or altered cursor is rejected', async () => {
    const other = await openBusiness(target, 'Oja Online');
    const opened: string[] = [];
    for (let i = 0; i < 7; i++) {
      const answer = await other.api('POST', '/checkout/initialize', { body: { ...PAYER, amount: 100 + i } });
      opened.unshift(answer.json.data.reference);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { json } = await other.api('GET', `/checkouts?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...json.data.map(({ reference }: { reference: string }) => reference));
      cursor = json.meta.next_cursor ?? '';
      expect(json.meta.has_more).toBe(cursor !== '');
    } while (cursor);
    expect(new Set(seen)).toEqual(new Set(opened));
    expect(seen).toHaveLength(7);

    const { meta } = (await other.api('GET', '/checkouts?limit=3')).json;
    for (const stolen of [meta.next_cursor, `${meta.next_cursor.slice(0, -2)}AA`, 'bm90IGEgY3Vyc29y']) {
      const refused = await merchant.api('GET', `/checkouts?cursor=${stolen}`);
      expect([refused.status, refused.json.code, refused.json.errors[0].field]).toEqual([
        422,
        'validation_failed',
        'cursor',
      ]);
    }
  });

  test('cannot be simulated with a live key, and the message is that of the service description', async () => {
    const refused = await merchant.api('POST', '/checkout/sandbox/simulate', {
      body: { reference: 'PAY-AAAAAAAAAAAAAAAAAAAA' },
      headers: { authorization: `Bearer ${merchant.secretLive.key}` },
    });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      'Simulation is only available with sandbox (test) API keys.',
    ]);
  });

  test('causes a 422 in live mode without an enabled provider, and the error names the provider', async () => {
    const refused = await merchant.api('POST', '/checkout/initialize', {
      body: PAYER,
      headers: { authorization: `Bearer ${merchant.secretLive.key}` },
    });
    expect([refused.status, refused.json.code, refused.json.message]).toEqual([
      422,
      'provider_not_enabled',
      'paystack is not enabled for live mode here.',
    ]);
    const short = await merchant.api('POST', '/checkout/initialize', {
      body: { ...PAYER, expires_in: 60 },
      headers: { authorization: `Bearer ${merchant.secretLive.key}` },
    });
    expect([short.status, short.json.errors]).toEqual([
      422,
      [{ field: 'expires_in', message: 'expires_in must be at least 300 seconds in live mode.' }],
    ]);
  });
});

describe('the payment page of a checkout', () => {
  let target: Target;
  let merchant: Merchant;
  const WEBSITE = 'https://shop.adafabrics.example';

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
    await target.ops('business', 'set', merchant.id, '--display-name', 'Ada Fabrics', '--websites', WEBSITE);
  });
  afterAll(() => target.stop());

  const initialize = (body: Record<string, unknown>, key = merchant.secretTest.key) =>
    call(target, 'POST', '/api/v1/checkout/initialize', {
      key,
      body: { ...PAYER, ...body },
      headers: { 'x-business-id': merchant.id },
    });
  const expectedError = (...messages: [field: string, message: string][]) => ({
    status: 422,
    json: { code: 'validation_failed', errors: messages.map(([field, message]) => ({ field, message })) },
  });

  test('has one address, which every answer shows, but no event', async () => {
    const links = {
      callback_url: `${WEBSITE}/done`,
      cancel_url: 'http://localhost:4000/cart',
      description: '₦ for 👗',
    };
    const { data } = (await initialize(links)).json;
    expect(data).toMatchObject({ ...links, account_name: 'Ada Fabrics' });
    expect(data.checkout_url).toMatch(/\/pay\/PAY-[0-9A-Z]{20}\.[\w-]{22}$/);
    const { reference } = data;
    const fields = { ...links, checkout_url: data.checkout_url };
    const body = { reference, amount: 100 };
    expect((await merchant.api('POST', '/checkout/sandbox/simulate', { body })).json.data).toMatchObject(fields);
    expect((await merchant.api('GET', `/checkout/verify/${reference}`)).json.data).toMatchObject(fields);
    expect((await merchant.api('POST', `/checkouts/${reference}/requery`)).json.data).toMatchObject(fields);
    const listed = await eventually('the list shows the checkout', async () =>
      (await merchant.api('GET', '/checkouts')).json.data.find(
        (checkout: { reference: string }) => checkout.reference === reference,
      ),
    );
    expect(listed).toMatchObject(fields);
    const { reference: second, checkout_url } = (await initialize({})).json.data;
    expect((await merchant.api('POST', `/checkouts/${second}/expire`)).json.data).toMatchObject({
      checkout_url,
      callback_url: null,
      cancel_url: null,
      description: null,
    });
    const event = await eventually('the event of the checkout is listed', async () =>
      (await merchant.api('GET', '/events')).json.data.find(
        ({ data: checkout }: { data: { reference: string } }) => checkout.reference === reference,
      ),
    );
    expect(event.data.description).toBe(links.description);
    expect(JSON.stringify(event)).not.toMatch(/_url|\/pay\/|adafabrics/);
  });

  test('leads only to a website of the business if a browser started the checkout', async () => {
    const allowed = { callback_url: `${WEBSITE}/done?a=b#c`, cancel_url: 'http://127.0.0.1:5173/' };
    expect(await initialize(allowed, merchant.publicTest.key)).toMatchObject({ status: 201, json: { data: allowed } });
    const foreign = { callback_url: 'https://evil.example/', cancel_url: `${WEBSITE}.evil.example/` };
    expect(await initialize(foreign, merchant.publicTest.key)).toMatchObject(
      expectedError(
        ['callback_url', 'callback_url must be on a website of this business.'],
        ['cancel_url', 'cancel_url must be on a website of this business.'],
      ),
    );
    expect(await initialize(foreign)).toMatchObject({ status: 201, json: { data: foreign } });
  });

  test('leads to localhost only in test mode, and one answer reports all errors', async () => {
    const local = { callback_url: 'http://localhost:4000/done', expires_in: 60 };
    expect(await initialize(local)).toMatchObject({ status: 201 });
    for (const { key } of [merchant.secretLive, merchant.publicLive]) {
      expect(await initialize(local, key)).toMatchObject(
        expectedError(
          ['expires_in', 'expires_in must be at least 300 seconds in live mode.'],
          ['callback_url', 'callback_url must be an https URL.'],
        ),
      );
    }
  });

  test('cannot lead elsewhere under the same Idempotency-Key', async () => {
    const send = (callback_url: string) =>
      merchant.api('POST', '/checkout/initialize', {
        body: { ...PAYER, callback_url },
        headers: { 'idempotency-key': 'page-1' },
      });
    const first = await send(`${WEBSITE}/1`);
    expect(await send(`${WEBSITE}/1`)).toMatchObject({ status: 201, text: first.text });
    expect(await send(`${WEBSITE}/2`)).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
  });
});
