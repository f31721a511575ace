import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import { acceptPayment } from '#shared/domain/checkouts/checkout.ts';
import { DAY } from '#shared/domain/kernel/time.ts';
import { EVENT_RETENTION, event, eventType, isAboutLiveMoney, newEvent } from '#shared/domain/webhooks/event.ts';
import { webhookHeaders } from '#shared/domain/webhooks/signature.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';
import { id, NOON, naira, paymentOf, pendingCheckout, SHOP } from '#test/unit/http/examples.ts';

const about = {
  id: id('evt'),
  type: 'checkout.paid',
  businessId: SHOP,
  mode: 'test',
  createdAt: NOON + 62_345,
} as const;

describe('an event', () => {
  test('is of one of these types', () => {
    expect(eventType.options).toEqual([
      'checkout.paid',
      'checkout.overpaid',
      'checkout.underpaid',
      'checkout.payment_rejected',
      'checkout.payment_reversed',
      'checkout.failed',
      'checkout.expired',
      'virtual_account.payment_received',
      'virtual_account.payment_reversed',
      'virtual_account.activated',
      'virtual_account.failed',
      'endpoint.disabled',
      'endpoint.test',
    ]);
  });

  test('is stored for 90 days, and read back as it was', () => {
    expect(EVENT_RETENTION).toBe(90 * DAY);
    expectEveryFieldRequired(event, newEvent(about, { message: 'Hello.' }));
  });

  test('of a paid checkout has exactly these bytes', () => {
    const before = pendingCheckout({
      payerName: 'Ọláwálé Adébáyò',
      metadata: '{"note":"₦5,000 “gele”"}',
      description: 'Gele, 2 yards',
      callbackUrl: 'https://shop.example.ng/done',
      cancelUrl: 'https://shop.example.ng/cart',
    });
    const { checkout } = acceptPayment(before, paymentOf({ amount: naira(5_000.5) }));
    expect(newEvent(about, checkoutView(checkout)).body).toBe(
      [
        '{"id":"evt_01KA0000000000000000000001"',
        '"type":"checkout.paid"',
        '"timestamp":"2026-11-20T12:01:02.345000Z"',
        '"mode":"test"',
        '"business_id":"biz_01KA0000000000000000000001"',
        '"data":{"mode":"test"',
        '"reference":"PAY-7H2KQ9XW4M1ZB8T5RC3N"',
        '"amount":5000',
        '"status":"paid"',
        '"paid":true',
        '"payer_email":"chiamaka.okafor@example.com"',
        '"paid_amount":5000.5',
        '"paid_at":"2026-11-20T12:01:00.000000Z"',
        '"sender_name":"OKAFOR CHIAMAKA GRACE"',
        '"sender_bank":"Kuda Microfinance Bank"',
        '"currency":"NGN"',
        '"created_with":"secret"',
        '"description":"Gele, 2 yards"',
        '"amount_to_pay":5000',
        '"provider":"paystack"',
        '"account_number":"1234567898"',
        '"account_name":"Chiamaka Okafor"',
        '"bank_name":"Sandbox Bank (paystack)"',
        '"bank_code":null',
        '"payer_name":"Ọláwálé Adébáyò"',
        '"merchant_reference":"ORDER-2026-00417"',
        '"metadata":{"note":"₦5,000 “gele”"}',
        '"expires_at":"2026-11-20T12:30:00.000000Z"',
        '"created_at":"2026-11-20T12:00:00.000000Z"',
        '"version":2',
        '"payments":[{"id":"pay_01KA0000000000000000000001"',
        '"amount":5000.5',
        '"fee":0',
        '"outcome":"accepted"',
        '"paid_at":"2026-11-20T12:01:00.000000Z"',
        '"late":false',
        '"sender_name":"OKAFOR CHIAMAKA GRACE"',
        '"sender_bank":"Kuda Microfinance Bank"',
        '"provider":"paystack"',
        '"provider_reference":"PAY-7H2KQ9XW4M1ZB8T5RC3N"}]',
        '"difference":0.5}}',
      ].join(','),
    );
  });

  test('has its fields in the documented order', () => {
    const body = JSON.parse(newEvent(about, { message: 'Hello.' }).body);
    expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'mode', 'business_id', 'data']);
  });

  test('keeps its first bytes when the data changes afterwards', () => {
    const data = { message: 'Ready.', list: [1, 2] };
    const born = newEvent(about, data);
    const bytes = born.body;
    data.message = 'Changed.';
    data.list.push(3);
    expect(born.body).toBe(bytes);
    expect(born.body).toContain('"data":{"message":"Ready.","list":[1,2]}');
  });

  test('is stored and read back byte for byte, and signs the same', () => {
    const born = newEvent(about, { text: '₦ \u2028 \\u20a6 "quoted" </script>', number: 1e21, zero: -0 });
    const read = event.parse(JSON.parse(JSON.stringify(born)));
    expect(read).toEqual(born);
    expect(Buffer.from(read.body).equals(Buffer.from(born.body))).toBe(true);
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(webhookHeaders([secret], read.id, NOON, read.body)).toEqual(
      webhookHeaders([secret], born.id, NOON, born.body),
    );
  });
});

test('an alarm calls for an event of live money, and for no other', () => {
  expect(isAboutLiveMoney({ mode: 'live', type: 'checkout.paid' })).toBe(true);
  expect(isAboutLiveMoney({ mode: 'test', type: 'checkout.paid' })).toBe(false);
  expect(isAboutLiveMoney({ mode: 'live', type: 'endpoint.test' })).toBe(false);
});

test('the body of an example says that it is one, and no other body does', () => {
  expect(JSON.parse(newEvent(about, {}, { isExample: true }).body)).toMatchObject({ example: true, data: {} });
  expect(JSON.parse(newEvent(about, {}).body)).not.toHaveProperty('example');
});
