import {
  hasAmountAndOutcome,
  isFromSender,
  isOfPayer,
  isPaymentSearch,
  type PaymentFilter,
} from '#shared/payments/domain/payment-filter.ts';
import { NOON, naira } from '#test/unit/api/examples.ts';

const ANY: PaymentFilter = {
  from: null,
  to: null,
  outcome: null,
  minAmount: null,
  maxAmount: null,
  sender: null,
  payerEmail: null,
};
const AMOUNT = naira(5_000);

test.each<[Partial<PaymentFilter>, boolean]>([
  [{}, false],
  [{ from: NOON, to: NOON }, false],
  [{ outcome: 'accepted' }, true],
  [{ minAmount: AMOUNT }, true],
  [{ maxAmount: AMOUNT }, true],
  [{ sender: 'eze' }, true],
  [{ payerEmail: 'ngozi.eze@example.com' }, true],
])('filter %j must examine payments one by one: %p', (filter, isSearch) => {
  expect(isPaymentSearch({ ...ANY, ...filter })).toBe(isSearch);
});

test.each<[Partial<PaymentFilter>, boolean]>([
  [{}, true],
  [{ outcome: 'accepted' }, true],
  [{ outcome: 'reversed' }, false],
  [{ minAmount: AMOUNT }, true],
  [{ minAmount: naira(5_001) }, false],
  [{ maxAmount: AMOUNT }, true],
  [{ maxAmount: naira(4_999) }, false],
  [{ outcome: 'accepted', minAmount: AMOUNT, maxAmount: AMOUNT }, true],
])('filter %j matches an accepted payment of 5,000 naira: %p', (filter, isMatch) => {
  expect(hasAmountAndOutcome({ ...ANY, ...filter }, { outcome: 'accepted', amount: AMOUNT })).toBe(isMatch);
});

test.each<[string | null, string | null, boolean]>([
  [null, null, true],
  [null, 'Ngozi Eze', true],
  ['eze', 'Ngozi Eze', true],
  ['NGOZI', 'Ngozi Eze', true],
  ['adaeze', 'Ngozi Eze', false],
  ['eze', null, false],
  ['…', 'Ngozi Eze', false],
  ['\u0301', 'Ngozi Eze', false],
])('a search for the sender %p finds a payment of %p: %p', (sender, senderName, isMatch) => {
  expect(isFromSender({ ...ANY, sender }, { senderName })).toBe(isMatch);
});

test.each<[string | null, string | null, boolean]>([
  [null, null, true],
  ['ngozi.eze@example.com', 'Ngozi.Eze@example.com', true],
  ['ngozi.eze@example.com', 'ada@example.com', false],
  ['ngozi.eze@example.com', null, false],
])('a search for the payer %p finds a payment whose payer has the address %p: %p', (payerEmail, email, isMatch) => {
  expect(isOfPayer({ payerEmail }, email)).toBe(isMatch);
});
