import type { Checkout } from '#shared/client/types.ts';
import { messageTo, takesRest } from '#shared/pages/dashboard/client/parts/customer.ts';
import { takesRest as accountTakesRest, DESCRIPTIONS } from '#shared/providers/descriptions.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

const ACCOUNT = {
  account_number: '9930471128',
  account_name: 'Ada Stores',
  bank_name: 'Wema Bank',
  expires_at: '2026-11-20T14:20:43.000000Z',
};
const BEFORE = Date.parse('2026-11-20T14:00:00Z');
const AFTER = Date.parse('2026-11-20T14:20:43Z');

/** A checkout of ₦8,500.75 for order 1042. */
const checkout = (rest: object): Checkout =>
  ({
    ...ACCOUNT,
    amount_to_pay: 8_500.75,
    paid_amount: 0,
    merchant_reference: '1042',
    description: 'Two bags of rice',
    status: 'pending',
    payments: [],
    ...rest,
  }) as unknown as Checkout;
const payment = (outcome: string, amount: number) => ({ outcome, amount });
const SHORT = { status: 'underpaid', paid_amount: 8_000, payments: [payment('accepted', 8_000)] };

describe('what to tell a customer', () => {
  test('is the rest and where to send it, while the account of a test checkout is open', () => {
    expect(messageTo(checkout(SHORT), 'test', BEFORE)).toEqual({
      text: 'We received ₦8,000.00 of ₦8,500.75 for order 1042. ₦500.75 is missing. Please send exactly ₦500.75 in one transfer to account 9930471128 at Wema Bank, in the name of Ada Stores, by 20 Nov 2026, 15:20 (Lagos time).',
    });
  });

  test('is to send nothing more where the account takes one transfer only, or has closed', () => {
    for (const [mode, now, why] of [
      ['live', BEFORE, 'it takes one transfer only'],
      ['live', AFTER, 'it has closed'],
      ['test', AFTER, 'it has closed'],
    ] as const) {
      expect(messageTo(checkout(SHORT), mode, now)).toEqual({
        text: `We received ₦8,000.00 of ₦8,500.75 for order 1042. ₦500.75 is missing. Please send nothing more to account 9930471128 at Wema Bank: ${why}. We will send you another account for ₦500.75.`,
        another: 500.75,
      });
    }
  });

  test('is the whole amount once more where a transfer was sent back on arrival, in live mode too', () => {
    const sentBack = checkout({ payments: [payment('rejected', 8_000)] });
    expect(messageTo(sentBack, 'live', BEFORE)?.text).toBe(
      'Your transfer of ₦8,000.00 for order 1042 goes back to the account that it came from. It was not ₦8,500.75. Please send exactly ₦8,500.75 in one transfer to account 9930471128 at Wema Bank, in the name of Ada Stores, by 20 Nov 2026, 15:20 (Lagos time).',
    );
    expect(messageTo({ ...sentBack, status: 'expired' }, 'live', BEFORE)).toMatchObject({ another: 8_500.75 });
    const whole = checkout({ payments: [payment('rejected', 8_500.75)] });
    expect(messageTo(whole, 'live', BEFORE)?.text).not.toContain('It was not');
  });

  test('tells of money that went back after it had counted, which its account takes no second time in live mode', () => {
    const takenBack = checkout({ payments: [payment('reversed', 8_500.75)] });
    const begins = 'Your transfer of ₦8,500.75 for order 1042 went back to you, so it does not count. Please send ';
    expect(messageTo(takenBack, 'live', BEFORE)?.text).toContain(`${begins}nothing more`);
    expect(messageTo(takenBack, 'test', BEFORE)?.text).toContain(`${begins}exactly ₦8,500.75`);
  });

  test('is how much was too much, which the business decides about', () => {
    const payments = [payment('rejected', 8_000), payment('accepted', 9_000)];
    expect(messageTo(checkout({ status: 'paid', paid_amount: 9_000, payments }), 'live', AFTER)).toEqual({
      text: 'We received ₦9,000.00 of ₦8,500.75 for order 1042: ₦499.25 too much. We will tell you what happens with it.',
      tooMuch: 499.25,
    });
  });

  test('names the order as the customer knows it', () => {
    const textOf = (rest: object) => messageTo(checkout({ ...SHORT, ...rest }), 'test', BEFORE)?.text;
    expect(textOf({ merchant_reference: null })).toContain('for “Two bags of rice”.');
    expect(textOf({ merchant_reference: null, description: null })).toContain('for your order.');
  });

  test('is nothing where all of it was paid, or nothing was sent', () => {
    const all = { status: 'paid', paid_amount: 8_500.75, payments: [payment('accepted', 8_500.75)] };
    expect(messageTo(checkout(all), 'live', BEFORE)).toBeUndefined();
    expect(messageTo(checkout({}), 'live', BEFORE)).toBeUndefined();
  });
});

test('the dashboard knows as well as the payment page whether an account takes the rest', () => {
  expect(Object.keys(DESCRIPTIONS)).toEqual(providerName.options);
  for (const mode of ['test', 'live'] as const) {
    for (const provider of providerName.options) {
      expect([mode, provider, takesRest(mode)]).toEqual([mode, provider, accountTakesRest(mode, provider)]);
    }
  }
});
