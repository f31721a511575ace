import { checkoutView } from '#shared/checkouts/contract/checkout-view.ts';
import { acceptPayment } from '#shared/checkouts/domain/checkout.ts';
import { DAY } from '#shared/platform/kernel/time.ts';
import {
  EVENT_RETENTION,
  event,
  eventType,
  isAboutLiveMoney,
  newEvent,
  testableTypesText,
} from '#shared/webhooks/domain/event.ts';
import { webhookHeaders } from '#shared/webhooks/domain/signature.ts';
import { id, NOON, naira, paymentOf, pendingCheckout, SHOP } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const about = {
  id: id('evt'),
  type: 'checkout.paid',
  businessId: SHOP,
  mode: 'test',
  createdAt: NOON + 62_345,
} as const;

describe('an event', () => {
  test('can have one type in a test call with a live key, and any type with a test key', () => {
    expect(testableTypesText).toBe(
      `endpoint.test with a live key, and with a test key one of ${eventType.options.join(', ')}`,
    );
  });

  test('stays stored for 90 days, and all its fields are required', () => {
    expect(EVENT_RETENTION).toBe(90 * DAY);
    expectEveryFieldRequired(event, newEvent(about, { message: 'Hello.' }));
  });

  test('contains its envelope and then the checkout, byte for byte', () => {
    const before = pendingCheckout({
      payerName: 'Ọláwálé Adébáyò',
      metadata: '{"note":"₦5,000 “gele”"}',
      description: 'Gele, 2 yards',
      callbackUrl: 'https://shop.example.ng/done',
      cancelUrl: 'https://shop.example.ng/cart',
    });
    const { checkout } = acceptPayment(before, paymentOf({ amount: naira(5_000.5) }));
    const { body } = newEvent(about, checkoutView(checkout));
    expect(body).toBe(
      [
        '{"id":"evt_01KA0000000000000000000001"',
        '"type":"checkout.paid"',
        '"timestamp":"2026-11-20T12:01:02.345000Z"',
        '"mode":"test"',
        '"business_id":"biz_01KA0000000000000000000001"',
        `"data":${JSON.stringify(checkoutView(checkout))}}`,
      ].join(','),
    );
    for (const text of [
      '"data":{"mode":"test","reference":"PAY-7H2KQ9XW4M1ZB8T5RC3N","amount":5000,"status":"paid","paid":true,',
      ',"paid_amount":5000.5,"paid_at":"2026-11-20T12:01:00.000000Z",',
      ',"payer_name":"Ọláwálé Adébáyò",',
      ',"metadata":{"note":"₦5,000 “gele”"},',
      '"difference":0.5',
    ]) {
      expect(body).toContain(text);
    }
  });

  test('has its fields in the documented order', () => {
    const body = JSON.parse(newEvent(about, { message: 'Hello.' }).body);
    expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'mode', 'business_id', 'data']);
  });

  test('keeps its first bytes if the data changes afterwards', () => {
    const data = { message: 'Ready.', list: [1, 2] };
    const created = newEvent(about, data);
    const bytes = created.body;
    data.message = 'Changed.';
    data.list.push(3);
    expect(created.body).toBe(bytes);
    expect(created.body).toContain('"data":{"message":"Ready.","list":[1,2]}');
  });

  test('keeps its bytes and its signature through storing and reading', () => {
    const created = newEvent(about, { text: '₦ \u2028 \\u20a6 "quoted" </script>', number: 1e21, zero: -0 });
    const read = event.parse(JSON.parse(JSON.stringify(created)));
    expect(read).toEqual(created);
    expect(Buffer.from(read.body).equals(Buffer.from(created.body))).toBe(true);
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(webhookHeaders([secret], read.id, NOON, read.body)).toEqual(
      webhookHeaders([secret], created.id, NOON, created.body),
    );
  });
});

test('only an event about live money raises an alarm', () => {
  expect(isAboutLiveMoney({ mode: 'live', type: 'checkout.paid' })).toBe(true);
  expect(isAboutLiveMoney({ mode: 'test', type: 'checkout.paid' })).toBe(false);
  expect(isAboutLiveMoney({ mode: 'live', type: 'endpoint.test' })).toBe(false);
});

test('the body of an example says that it is an example, and no other body does', () => {
  expect(JSON.parse(newEvent(about, {}, { isExample: true }).body)).toMatchObject({ example: true, data: {} });
  expect(JSON.parse(newEvent(about, {}).body)).not.toHaveProperty('example');
});
