import { Webhook } from 'standardwebhooks';
import { longTest } from '#test/support/jest/long.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };

describe('webhooks', () => {
  let target: Target;
  let merchant: Merchant;

  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.stop());
  beforeEach(async () => {
    merchant = await openBusiness(target, 'Ada Stores Limited');
  });

  const pay = async (): Promise<string> => {
    const { reference } = (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    return reference;
  };

  longTest('are sent again after a failure with the same id and bytes, and a new timestamp and signature', async () => {
    const receiver = await merchant.listen();
    receiver.answer((response, webhook) => {
      response.writeHead(webhook === receiver.received[0] ? 500 : 204).end();
    });
    await pay();
    const [first, second] = await eventually('the second attempt arrives', () =>
      receiver.received.length >= 2 ? receiver.received : undefined,
    );
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
    for (const webhook of [first, second]) {
      new Webhook(receiver.secret).verify(webhook?.body ?? '', webhook?.headers as Record<string, string>);
    }
    const waited = (second?.at ?? 0) - (first?.at ?? 0);
    expect(waited).toBeGreaterThanOrEqual(4_000);
    await receiver.stop();
  });

  test('go to each endpoint for its subscribed events, signed with its own secret', async () => {
    const everything = await merchant.listen();
    const failures = await merchant.listen('checkout.failed', 'checkout.expired');
    const reference = await pay();
    const { reference: failed } = (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference: failed, status: 'failed' } });

    await eventually('both events arrive', () => everything.received.length >= 2);
    await eventually('the event of the failure arrives', () => failures.received.length >= 1);
    const events = everything.received.map(({ body }) => JSON.parse(body));
    expect(events.map(({ type, data }) => [type, data.reference]).sort()).toEqual([
      ['checkout.failed', failed],
      ['checkout.paid', reference],
    ]);
    expect(failures.received.map(({ body }) => JSON.parse(body).type)).toEqual(['checkout.failed']);
    expect(failures.secret).not.toBe(everything.secret);
    const [webhook] = failures.received;
    expect(() =>
      new Webhook(everything.secret).verify(webhook?.body ?? '', webhook?.headers as Record<string, string>),
    ).toThrow();
    await Promise.all([everything.stop(), failures.stop()]);
  });

  test('go only to the business of the event', async () => {
    const receiver = await merchant.listen();
    const other = await openBusiness(target, 'Somebody Else');
    const theirs = await other.listen();
    const reference = await pay();
    await eventually('the webhook arrives', () => receiver.received.length >= 1);
    expect(JSON.parse(receiver.received[0]?.body ?? '').data.reference).toBe(reference);
    expect(theirs.received).toHaveLength(0);
    await Promise.all([receiver.stop(), theirs.stop()]);
  });

  longTest(
    'go out once for 100 simultaneous simulations of one checkout: one answer is 200, and 99 are 409',
    async () => {
      const receiver = await merchant.listen();
      const { reference } = (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data;
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
      await eventually('the webhook arrives', () => receiver.received.length >= 1);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(receiver.received).toHaveLength(1);
      const { data } = (await merchant.api('GET', `/checkout/verify/${reference}`)).json;
      expect([data.paid_amount, data.version, data.payments.length]).toEqual([8_500.75, 2, 1]);
      await receiver.stop();
    },
  );
});
