import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { endAccountTime, latestAccepted } from '#shared/checkouts/domain/checkout.ts';
import { type CheckoutFilter, isCheckoutSearch, matchesFilter } from '#shared/checkouts/domain/checkout-filter.ts';
import { NOON, pendingCheckout } from '#test/unit/api/examples.ts';

const ANY: CheckoutFilter = {
  from: null,
  to: null,
  status: null,
  payerEmail: null,
  merchantReference: null,
  accountNumber: null,
};
const checkout = pendingCheckout({ merchantReference: 'order-1' });
const { createdAt, payerEmail } = checkout;
const { account } = shownAttempt(checkout);

test.each<[string, Partial<CheckoutFilter>, boolean]>([
  ['no field', {}, true],
  ['creation from its own time on', { from: createdAt }, true],
  ['creation from a later time on', { from: createdAt + 1 }, false],
  ['creation before a later time', { to: createdAt + 1 }, true],
  ['creation before its own time', { to: createdAt }, false],
  ['its status', { status: 'pending' }, true],
  ['another status', { status: 'paid' }, false],
  ['its payer in capitals', { payerEmail: payerEmail.toUpperCase() }, true],
  ['another payer', { payerEmail: 'somebody.else@example.com' }, false],
  ['its merchant reference', { merchantReference: 'order-1' }, true],
  ['another merchant reference', { merchantReference: 'order-2' }, false],
  ['its account number', { accountNumber: account.accountNumber }, true],
  ['another account number', { accountNumber: '0000000000' }, false],
])('a filter by %s matches the checkout: %p → %p', (_, filter, matches) => {
  expect(matchesFilter({ ...ANY, ...filter }, checkout)).toBe(matches);
});

test.each<[Partial<CheckoutFilter>, boolean]>([
  [{}, false],
  [{ from: NOON, to: NOON, payerEmail }, false],
  [{ merchantReference: 'order-1' }, false],
  [{ merchantReference: 'order-1', from: NOON }, true],
  [{ merchantReference: 'order-1', to: NOON }, true],
  [{ merchantReference: 'order-1', payerEmail }, true],
  [{ status: 'paid' }, true],
  [{ accountNumber: '0123456789' }, true],
])('a filter of %j reads more checkouts than it shows: %p', (filter, isSearch) => {
  expect(isCheckoutSearch({ ...ANY, ...filter })).toBe(isSearch);
});

test('ending the time of an account sets its expiry to a millisecond ago, unless the account has expired already', () => {
  const attempt = shownAttempt(checkout);
  const { expiresAt } = attempt;
  expect(shownAttempt(endAccountTime(checkout, attempt, expiresAt - 1)).expiresAt).toBe(expiresAt - 2);
  expect(endAccountTime(checkout, attempt, expiresAt + 5)).toEqual(checkout);
});

test('the latest accepted payment is the first accepted one of the list, and its absence is an error', () => {
  const payment = (id: string, outcome: string) => ({ id, outcome });
  const payments = [payment('pay_3', 'reversed'), payment('pay_2', 'accepted'), payment('pay_1', 'accepted')];
  expect(latestAccepted({ ...checkout, payments } as never).id).toBe('pay_2');
  expect(() => latestAccepted({ ...checkout, payments: payments.slice(0, 1) } as never)).toThrow('nothing_to_reverse');
});
