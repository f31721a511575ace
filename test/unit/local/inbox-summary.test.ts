import { inboxPage } from '#infra/local/inbox/page.ts';
import { summariseWebhook } from '#infra/local/inbox/summary.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const VA = 'va_01KDVDNX1Q9M3R6T8W2Y5A7C4E';
const checkout = { reference: REFERENCE, amount: 8_500.75, paid_amount: 8_500.75, sender_name: 'Chidi Eze' };
const sentBack = [
  { amount: 200, outcome: 'accepted', sender_name: null },
  { amount: 6_500, outcome: 'rejected', sender_name: null },
  { amount: 1_234_567.5, outcome: 'reversed', sender_name: null },
];
const onAccount = {
  payment: { amount: 1_250.5, outcome: 'accepted', sender_name: 'Ngozi Eze' },
  virtual_account: { id: VA },
};

describe('the summary of a webhook', () => {
  test.each([
    ['checkout.paid', checkout, REFERENCE, '₦8,500.75 of ₦8,500.75', 'Paid in full by Chidi Eze.'],
    [
      'checkout.overpaid',
      { ...checkout, paid_amount: 9_000 },
      REFERENCE,
      '₦9,000.00 of ₦8,500.75',
      '₦499.25 too much arrived.',
    ],
    [
      'checkout.underpaid',
      { ...checkout, paid_amount: 500.25 },
      REFERENCE,
      '₦500.25 of ₦8,500.75',
      '₦8,000.50 is still missing.',
    ],
    [
      'checkout.payment_rejected',
      { ...checkout, payments: sentBack },
      REFERENCE,
      '₦8,500.75 of ₦8,500.75',
      '₦6,500.00 was sent back on arrival and never counted.',
    ],
    [
      'checkout.payment_reversed',
      { ...checkout, payments: sentBack },
      REFERENCE,
      '₦8,500.75 of ₦8,500.75',
      '₦1,234,567.50 was sent back after it had counted.',
    ],
    [
      'checkout.expired',
      { ...checkout, paid_amount: 0, expires_at: '2026-11-20T12:30:00.000000Z' },
      REFERENCE,
      '₦0.00 of ₦8,500.75',
      'Not paid by 2026-11-20 12:30 UTC.',
    ],
    [
      'checkout.failed',
      { ...checkout, paid_amount: 0 },
      REFERENCE,
      '₦0.00 of ₦8,500.75',
      'The provider takes no more money for this checkout.',
    ],
    ['virtual_account.payment_received', onAccount, VA, '₦1,250.50', 'A transfer arrived from Ngozi Eze.'],
    ['virtual_account.payment_reversed', onAccount, VA, '₦1,250.50', '₦1,250.50 was sent back after it had counted.'],
    ['virtual_account.activated', { id: VA }, VA, null, 'The provider has opened the account.'],
    ['virtual_account.failed', { id: VA }, VA, null, 'The provider did not open the account.'],
    ['endpoint.disabled', { id: 'whe_1', disabled_reason: 'Gone twice.' }, 'whe_1', null, 'Gone twice.'],
    ['endpoint.test', { message: 'Nothing happened.' }, null, null, 'Nothing happened.'],
  ])('has mode, reference, amount and reason for %s', (type, data, reference, amount, why) => {
    const body = JSON.stringify({ id: 'evt_1', type, mode: 'test', data });
    expect(summariseWebhook(body)).toEqual({ mode: 'test', reference, amount, why });
  });

  test.each([
    '',
    '{',
    '[]',
    '{"type": 1}',
    '{"type": "x", "mode": 2, "data": 3}',
    '{"type": "checkout.paid", "data": {"amount": "8"}}',
  ])('is empty for a body that anybody may have posted: %s', (body) => {
    expect(summariseWebhook(body)).toMatchObject({ mode: null, reference: null, amount: null });
  });

  test('appears on the inbox page, and cannot run there as script', () => {
    const data = { ...checkout, sender_name: '<script>alert(1)</script>' };
    const body = JSON.stringify({ type: 'checkout.paid', mode: 'live', data });
    const webhook = { id: 'evt_1', type: 'checkout.paid', received_at: '2026-11-20T12:00:00.000Z', headers: {}, body };
    const page = inboxPage([{ ...webhook, verified: true, error: null }], '');
    expect(page).toContain('<span class="mode">live</span>');
    expect(page).toContain(`<code>${REFERENCE}</code> <span class="amount">₦8,500.75 of ₦8,500.75</span>`);
    expect(page).toContain('Paid in full by &lt;script&gt;');
    expect(page).not.toContain('<script>alert');
  });
});
