import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { newWebhookSecret, webhookHeaders } from '#shared/webhooks/domain/signature.ts';
import { id } from '#test/unit/api/examples.ts';

const receiver = new OpenAI({ apiKey: 'x' });
const EVENT = id('evt');
const NAIRA_BODY = '{"type":"checkout.paid","data":{"payer_name":"Ọláwálé Adébáyò","note":"₦5,000 🎉"}}';
const buildSecret = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

describe('the headers of a webhook', () => {
  test.each([
    {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      seconds: 1_614_265_330,
      body: '{"test": 2432232314}',
      signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    {
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      eventId: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
      seconds: 1_649_367_553,
      body: '{"email":"test@example.com","username":"test_user"}',
      signature: 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
    },
  ])(
    'equal those of the published Standard Webhooks vector $eventId',
    ({ secret, eventId, seconds, body, signature }) => {
      expect(webhookHeaders([secret], eventId, seconds * SECOND, body)).toEqual({
        'webhook-id': eventId,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signature,
      });
    },
  );

  test.each([
    [1_614_265_330_000, '1614265330'],
    [1_614_265_330_999, '1614265330'],
    [1_614_265_331_000, '1614265331'],
  ])('contain whole unix seconds: %i ms becomes %s', (at, timestamp) => {
    expect(webhookHeaders([buildSecret(32)], EVENT, at, '{}')['webhook-timestamp']).toBe(timestamp);
  });

  test('contain one signature for each secret in their order, separated by a space', () => {
    const [current, previous] = [newWebhookSecret(randomBytes), newWebhookSecret(randomBytes)];
    const sign = (secrets: string[]) =>
      webhookHeaders(secrets, EVENT, 1_700_000_000_000, NAIRA_BODY)['webhook-signature'];
    expect(sign([current, previous])).toBe(`${sign([current])} ${sign([previous])}`);
    expect(sign([previous, current])).toBe(`${sign([previous])} ${sign([current])}`);
    expect(sign([current])).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  });

  test.each([
    ['an ASCII body', '{"id":"evt_1"}'],
    ['a body with ₦, Yoruba marks and an emoji', NAIRA_BODY],
    ['an empty body', ''],
    ['a body with line breaks', '{\n  "amount": 5000\n}\n'],
    ['a body with full stops', '{"amount":5000.50}'],
  ])('pass the check of two independent libraries: %s', async (_, body) => {
    const secret = newWebhookSecret(randomBytes);
    const headers = webhookHeaders([secret], EVENT, Date.now(), body);
    await expect(receiver.webhooks.verifySignature(body, headers, secret)).resolves.toBeUndefined();
    // This library parses the verified body, so an empty body passes the signature check and then fails.
    if (body !== '') expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  test('pass the check with the new and the old secret while both sign', async () => {
    const secrets = [newWebhookSecret(randomBytes), newWebhookSecret(randomBytes)];
    const headers = webhookHeaders(secrets, EVENT, Date.now(), NAIRA_BODY);
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(NAIRA_BODY, headers)).toEqual(JSON.parse(NAIRA_BODY));
      await expect(receiver.webhooks.verifySignature(NAIRA_BODY, headers, secret)).resolves.toBeUndefined();
    }
  });

  test.each([
    ['another secret', (sent: string) => sent, newWebhookSecret(randomBytes), 0],
    ['a body with one space more', (sent: string) => `${sent} `, undefined, 0],
    ['a body with another currency sign', (sent: string) => sent.replace('₦', '$'), undefined, 0],
    ['an attempt six minutes ago', (sent: string) => sent, undefined, -360],
    ['an attempt six minutes ahead', (sent: string) => sent, undefined, 360],
  ])('fail the check of the two libraries: %s', async (_, tamper, otherSecret, seconds) => {
    const secret = newWebhookSecret(randomBytes);
    const headers = webhookHeaders([secret], EVENT, Date.now() + seconds * SECOND, NAIRA_BODY);
    const [body, used] = [tamper(NAIRA_BODY), otherSecret ?? secret];
    expect(() => new Webhook(used).verify(body, headers)).toThrow();
    await expect(receiver.webhooks.verifySignature(body, headers, used)).rejects.toThrow();
  });

  test('pass the check for any body and any secret', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (value, bytes) => {
        const secret = newWebhookSecret(() => bytes);
        const body = JSON.stringify(value);
        expect(new Webhook(secret).verify(body, webhookHeaders([secret], EVENT, Date.now(), body))).toEqual(
          JSON.parse(body),
        );
      }),
    );
  });
});

describe('an endpoint secret', () => {
  test('consists of whsec_ and the base64 of 32 random bytes, and is new every time', () => {
    const secrets = Array.from({ length: 100 }, () => newWebhookSecret(randomBytes));
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
