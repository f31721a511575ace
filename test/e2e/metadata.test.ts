import { testRows } from '#test/support/jest/long.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

describe('metadata', () => {
  let target: Target;
  let merchant: Merchant;
  let receiver: Awaited<ReturnType<Merchant['listen']>>;

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
    receiver = await merchant.listen('checkout.paid');
  });
  afterAll(async () => {
    await receiver.stop();
    await target.stop();
  });

  /* Each body is written as text, because JSON.stringify would already lose the tested details. */
  const checkoutWith = (metadata: string) =>
    merchant.api('POST', '/checkout/initialize', {
      body: `{"amount":100,"payer_email":"ngozi.eze@example.com","metadata":${metadata}}`,
    });
  const accountWith = (metadata: string) =>
    merchant.api('POST', '/virtual-accounts', {
      body: `{"customer_name":"Ngozi Eze","provider":"monnify","metadata":${metadata}}`,
    });

  test.each<[string, string]>([
    ['{"order":{"id":9007199254740993}}', 'metadata.order.id'],
    ['{"big":1e309}', 'metadata.big'],
    ['{"small":1e-400}', 'metadata.small'],
    ['{"rates":[0.5,0.1234567890123456789]}', 'metadata.rates.1'],
    [`{"digits":${'9'.repeat(400)}}`, 'metadata.digits'],
  ])('causes a 422 with a number that cannot come back exactly: %s', async (metadata, place) => {
    for (const { status, json } of [await checkoutWith(metadata), await accountWith(metadata)]) {
      expect([status, json.code, json.errors]).toEqual([
        422,
        'validation_failed',
        [
          {
            field: 'metadata',
            message: `metadata must not hold a number that a 64-bit float cannot hold exactly: ${place}. Send it as a string.`,
          },
        ],
      ]);
    }
  });

  test('causes a 422 if a member occurs twice, because one of its values would be lost', async () => {
    const { status, json } = await checkoutWith('{"a":1,"\\u0061":1}');
    expect([status, json.errors]).toEqual([
      422,
      [{ field: 'metadata', message: 'metadata must not hold a member twice: metadata.a.' }],
    ]);
  });

  test('causes a 422 if the field metadata is sent twice, and at most ten wrong numbers are reported', async () => {
    const twice = await checkoutWith('{},"metadata":null');
    expect([twice.status, twice.json.errors]).toEqual([
      422,
      [{ field: 'metadata', message: 'metadata must be sent once.' }],
    ]);
    const { json } = await checkoutWith(`[${Array(20).fill('1e999').join(',')}]`);
    expect(json.errors).toHaveLength(11);
    expect(json.errors[0]).toEqual({ field: 'metadata', message: 'metadata must be a JSON object.' });
  });

  testRows([
    '{"a":1.10,"b":1e2,"c":-0.0,"d":1e-200,"e":5e-324,"f":1.7976931348623157e308,"g":[0.1,4.35,1e23]}',
    '{"2":"two","1":"one","":"","b":1,"a":{"9":{"8":[null,true,{}]}}}',
    '{"__proto__":{"admin":true},"nested":{"__proto__":1},"constructor":{"prototype":{}},"toJSON":1}',
    '{"half":"\\ud800","controls":"\\u0000\\u001b\\u2028\\u202e","\\ufffe":"\\uffff","emoji":"💸"}',
    '{"looks like one":"9007199254740993","\\"1e309\\"":"1e309"}',
    '{}',
  ])('comes back as it was sent, in every answer and webhook: %s', async (metadata) => {
    const opened = await checkoutWith(metadata);
    expect(opened.status).toBe(201);
    const { reference } = opened.json.data;
    const verified = await merchant.api('GET', `/checkout/verify/${reference}`);
    const paid = await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    const webhook = await eventually('the webhook arrives', () =>
      receiver.received.find(({ body }) => body.includes(reference)),
    );
    const created = await accountWith(metadata);
    const [account] = created.json.accounts;
    const read = await merchant.api('GET', `/virtual-accounts/${account.id}`);
    const seen = [opened, verified, paid, read].map(({ json }) => json.data);
    for (const { metadata: back } of [...seen, account, JSON.parse(webhook.body).data]) {
      // Compare the texts, which include a member called __proto__.
      expect(JSON.stringify(back)).toBe(JSON.stringify(JSON.parse(metadata)));
    }
  });
});
