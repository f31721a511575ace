import { longTest } from '#test/support/jest/long.ts';
import { call, eventually, type HttpAnswer, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

const ORDER = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const PATH = '/checkout/initialize';

describe('a used Idempotency-Key', () => {
  let target: Target;
  let merchant: Merchant;

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
  });
  afterAll(async () => {
    await target.stop();
  });

  const withKey = (key: string) => ({ 'idempotency-key': key });
  const isReplay = ({ headers }: HttpAnswer): boolean => headers.get('idempotent-replayed') === 'true';

  test('repeats the first answer to a browser, even if the return URL is no longer allowed', async () => {
    const { publicTest, id } = await openBusiness(target, 'Oja Online');
    const website = 'https://oja.example';
    const browser = (headers: Record<string, string> = {}) =>
      call(target, 'POST', `/api/v1${PATH}`, {
        key: publicTest.key,
        body: { ...ORDER, callback_url: `${website}/thanks` },
        headers: { 'x-business-id': id, ...headers },
      });
    await target.ops('business', 'set', id, '--websites', website);
    const first = await browser(withKey('page-1'));
    expect(first.status).toBe(201);
    await target.ops('business', 'set', id, '--no-websites');
    const fresh = await browser(withKey('page-2'));
    expect([fresh.status, fresh.json.code]).toEqual([422, 'validation_failed']);
    const again = await browser(withKey('page-1'));
    expect([again.status, isReplay(again), again.text]).toEqual([201, true, first.text]);
  });

  test('answers 422 to other bytes, whatever is wrong with them, and keeps the first answer', async () => {
    const headers = withKey('order-1');
    const first = await merchant.api('POST', PATH, { body: ORDER, headers });
    for (const body of ['{', '[]', {}, { ...ORDER, amount: 1 }, `${JSON.stringify(ORDER)} `]) {
      const other = await merchant.api('POST', PATH, { body, headers });
      expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    }
    const queried = await merchant.api('POST', `${PATH}?source=shop`, { body: ORDER, headers });
    expect([queried.status, queried.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await merchant.api('POST', PATH, { body: ORDER, headers })).text).toBe(first.text);
  });

  test('shows no stored answer to a revoked API key or a suspended business', async () => {
    const headers = withKey('order-2');
    const [revoked, suspended] = [await openBusiness(target, 'Revoked'), await openBusiness(target, 'Suspended')];
    for (const { api } of [revoked, suspended]) {
      const first = await api('POST', PATH, { body: ORDER, headers });
      expect((await api('POST', PATH, { body: ORDER, headers })).text).toBe(first.text);
    }
    await target.ops('key', 'revoke', revoked.secretTest.id);
    await target.ops('business', 'suspend', suspended.id);
    for (const { api } of [revoked, suspended]) {
      const refused = await api('POST', PATH, { body: ORDER, headers });
      expect([refused.status, refused.json.code, isReplay(refused)]).toEqual([401, 'invalid_api_key', false]);
    }
  });

  longTest(
    'runs one of several equal simultaneous requests; the rest get the answer of that request, or a Retry-After of 1 to 5 seconds',
    async () => {
      const send = (payer_email: string, key: string) =>
        merchant.api('POST', PATH, { body: { ...ORDER, payer_email, provider: 'monnify' }, headers: withKey(key) });
      const simultaneous = await Promise.all(Array.from({ length: 10 }, () => send(ORDER.payer_email, 'order-3')));
      expect(new Set(simultaneous.map(({ text }) => text)).size).toBe(1);
      expect(simultaneous.filter(isReplay)).toHaveLength(9);

      // The sandbox's Monnify takes three seconds for this address.
      const answers = await Promise.all(Array.from({ length: 3 }, () => send('slow+monnify@example.com', 'order-4')));
      const [first, ...others] = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
      expect(others).toEqual([]);
      // If the functions of a stage start slowly, a request may arrive after the first one was answered.
      const replays = answers.filter(isReplay);
      expect(replays.filter(({ text }) => text !== first?.text)).toEqual([]);
      const early = answers.filter(({ status }) => status === 409);
      expect(early).toHaveLength(2 - replays.length);
      for (const { json, headers } of early) {
        expect(json.code).toBe('idempotency_in_progress');
        expect(headers.get('retry-after')).toMatch(/^[1-5]$/);
      }
      const again = await eventually('the first request is answered', async () => {
        const answer = await send('slow+monnify@example.com', 'order-4');
        return answer.status === 201 ? answer : undefined;
      });
      expect([again.text, isReplay(again)]).toEqual([first?.text, true]);
    },
  );
});
