import type { Checkout } from '#shared/client/types.ts';
import { acceptsRest, writeMessage } from '#shared/pages/dashboard/client/parts/customer.ts';
import { acceptsRest as accountTakesRest, DESCRIPTIONS } from '#shared/providers/descriptions.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

const ACCOUNT = {
  account_number: '9930471128',
  account_name: 'Ada Stores',
  bank_name: 'Wema Bank',
  expires_at: '2026-11-20T14:20:43.000000Z',
};
const BEFORE = Date.parse('2026-11-20T14:00:00Z');
const AFTER = Date.parse('2026-11-20T14:20:43Z');

/** Makes a checkout of ₦8,500.75 for order 1042. */
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
const UNDERPAID = { status: 'underpaid', paid_amount: 8_000, payments: [payment('accepted', 8_000)] };

describe('the message to a customer', () => {
  test('asks for the rest while the account of a test checkout is open', () => {
    expect(writeMessage(checkout(UNDERPAID), 'test', BEFORE)).toEqual({
      text: 'We received ₦8,000.00 of ₦8,500.75 for order 1042. ₦500.75 is missing. Please send exactly ₦500.75 in one transfer to account 9930471128 at Wema Bank, in the name of Ada Stores, by 20 Nov 2026, 15:20 (Lagos time).',
    });
  });

  test('asks to send nothing more if the account takes only one transfer or has closed', () => {
    for (const [mode, now, why] of [
      ['live', BEFORE, 'it takes one transfer only'],
      ['live', AFTER, 'it has closed'],
      ['test', AFTER, 'it has closed'],
    ] as const) {
      expect(writeMessage(checkout(UNDERPAID), mode, now)).toEqual({
        text: `We received ₦8,000.00 of ₦8,500.75 for order 1042. ₦500.75 is missing. Please send nothing more to account 9930471128 at Wema Bank: ${why}. We will send you another account for ₦500.75.`,
        newCheckoutAmount: 500.75,
      });
    }
  });

  test('asks for the whole amount again if a transfer was sent back on arrival, in live mode too', () => {
    const sentBack = checkout({ payments: [payment('rejected', 8_000)] });
    expect(writeMessage(sentBack, 'live', BEFORE)?.text).toBe(
      'Your transfer of ₦8,000.00 for order 1042 goes back to the account that it came from. The amount should have been ₦8,500.75. Please send exactly ₦8,500.75 in one transfer to account 9930471128 at Wema Bank, in the name of Ada Stores, by 20 Nov 2026, 15:20 (Lagos time).',
    );
    expect(writeMessage({ ...sentBack, status: 'expired' }, 'live', BEFORE)).toMatchObject({
      newCheckoutAmount: 8_500.75,
    });
    const whole = checkout({ payments: [payment('rejected', 8_500.75)] });
    expect(writeMessage(whole, 'live', BEFORE)?.text).not.toContain('should have been');
  });

  test('names money that was taken back, and asks for it again only if the account takes a second transfer', () => {
    const takenBack = checkout({ payments: [payment('reversed', 8_500.75)] });
    const beginning = 'Your transfer of ₦8,500.75 for order 1042 went back to you, so it does not count. Please send ';
    expect(writeMessage(takenBack, 'live', BEFORE)?.text).toContain(`${beginning}nothing more`);
    expect(writeMessage(takenBack, 'test', BEFORE)?.text).toContain(`${beginning}exactly ₦8,500.75`);
  });

  test('says how much was too much, and leaves the decision to the business', () => {
    const payments = [payment('rejected', 8_000), payment('accepted', 9_000)];
    expect(writeMessage(checkout({ status: 'paid', paid_amount: 9_000, payments }), 'live', AFTER)).toEqual({
      text: 'We received ₦9,000.00 for order 1042, which costs ₦8,500.75. That is ₦499.25 too much. We will tell you what happens with it.',
      tooMuch: 499.25,
    });
  });

  test('names the order as the customer knows it', () => {
    const writeText = (rest: object) => writeMessage(checkout({ ...UNDERPAID, ...rest }), 'test', BEFORE)?.text;
    expect(writeText({ merchant_reference: null })).toContain('for “Two bags of rice”.');
    expect(writeText({ merchant_reference: null, description: null })).toContain('for your order.');
  });

  test('does not exist if everything was paid or the customer sent nothing', () => {
    const all = { status: 'paid', paid_amount: 8_500.75, payments: [payment('accepted', 8_500.75)] };
    expect(writeMessage(checkout(all), 'live', BEFORE)).toBeUndefined();
    expect(writeMessage(checkout({}), 'live', BEFORE)).toBeUndefined();
  });
});

test('the dashboard and the payment page agree whether an account takes the rest', () => {
  expect(Object.keys(DESCRIPTIONS)).toEqual(providerName.options);
  for (const mode of ['test', 'live'] as const) {
    for (const provider of providerName.options) {
      expect([mode, provider, acceptsRest(mode)]).toEqual([mode, provider, accountTakesRest(mode, provider)]);
    }
  }
});
