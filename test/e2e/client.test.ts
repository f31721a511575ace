import { type Event, isPaymentsError, Payments } from '#shared/client/index.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

/* Tests the client against a running service. */

describe('the client', () => {
  let target: Target;
  let merchant: Merchant;
  let webhooks: Awaited<ReturnType<Merchant['listen']>>;
  let api: Payments;
  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
    webhooks = await merchant.listen();
    api = new Payments(merchant.secretTest.key, { baseUrl: target.baseUrl });
  });
  afterAll(async () => {
    await webhooks.stop();
    await target.stop();
  });

  test('starts, pays, verifies and lists a checkout, exports its payments, and reads its webhook', async () => {
    const order = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', merchant_reference: 'ORDER-2026-00417' };
    const options = { idempotencyKey: 'ORDER-2026-00417' };
    const { reference, checkout_url } = await api.checkouts.initialize(order, options);
    expect(checkout_url).toContain('/pay/');
    expect((await api.checkouts.initialize(order, options)).reference).toBe(reference);
    await api.checkouts.simulate({ reference, amount: 4_000 });
    await api.checkouts.simulate({ reference });
    expect(await api.checkouts.verify(reference)).toMatchObject({ paid: true, paid_amount: 8_500.75 });

    const listed = await eventually('both payments are listed', async () => {
      const amounts: number[] = [];
      for await (const { amount, checkout_reference } of api.payments.list({ limit: 1 })) {
        if (checkout_reference === reference) amounts.push(amount);
      }
      return amounts.length === 2 ? amounts : undefined;
    });
    expect(listed).toEqual([4_500.75, 4_000]);
    let file = '';
    for await (const text of api.payments.export()) file += text;
    expect(file.split('ORDER-2026-00417')).toHaveLength(3);

    const received = await eventually('the webhook arrives', () =>
      webhooks.received.find(({ body }) => JSON.parse(body).type === 'checkout.paid'),
    );
    const event: Event = await Payments.webhooks.unwrap(received.body, received.headers, webhooks.secret);
    if (event.type !== 'checkout.paid') throw new Error('Another event arrived.');
    expect(event.data).toMatchObject({ reference, merchant_reference: 'ORDER-2026-00417' });
  });

  test('throws an API error with its code', async () => {
    const error = await api.checkouts.verify('PAY-00000000000000000000').catch((thrown: unknown) => thrown);
    expect(isPaymentsError(error, 'checkout_not_found')).toBe(true);
  });

  test('starts checkouts with a public key and the id of its business', async () => {
    const shop = new Payments(merchant.publicTest.key, { baseUrl: target.baseUrl, businessId: merchant.id });
    const { created_with } = await shop.checkouts.initialize({ amount: 500, payer_email: 'ngozi.eze@example.com' });
    expect(created_with).toBe('public');
    const error = await shop.payments
      .list()
      .page()
      .catch((thrown: unknown) => thrown);
    expect(isPaymentsError(error, 'public_key_not_permitted')).toBe(true);
  });
});
