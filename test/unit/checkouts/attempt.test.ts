import {
  findPaidAttempt,
  findReportedAttempt,
  hasLiveAttemptAt,
  isForeignReference,
  latestAttempt,
  newAttempt,
  shownAttempt,
  withAttempt,
} from '#shared/checkouts/domain/attempt.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { shownAttempt as makeShownAttempt, NOON } from '#test/unit/api/examples.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const TIME = { openedAt: NOON, expiresAt: NOON + 30 * SECOND };
const refused = { ...newAttempt('korapay', REFERENCE, TIME), state: 'refused' } as const;
const unknown = { ...newAttempt('monnify', `${REFERENCE}-B`, TIME), state: 'unknown' } as const;
const open = makeShownAttempt({ provider: 'paystack', reference: `${REFERENCE}-C-2` });
const checkout = { mode: 'live', attempts: [refused, unknown, open] } as const;

test('the last shown attempt may differ from the last made attempt', () => {
  expect(shownAttempt(checkout)).toBe(open);
  expect(shownAttempt({ attempts: [open, unknown] })).toBe(open);
  expect(latestAttempt({ attempts: [open, unknown] })).toBe(unknown);
  const later = makeShownAttempt({ reference: REFERENCE, shownAt: NOON + SECOND });
  expect(shownAttempt({ attempts: [open, later, unknown] })).toBe(later);
  expect(() => shownAttempt({ attempts: [unknown] })).toThrow('no account that was shown');
  expect(() => latestAttempt({ attempts: [] })).toThrow('no attempt');
});

test('a change of one attempt leaves the others unchanged', () => {
  const changed = { ...unknown, lookUps: 1 };
  expect(withAttempt(checkout, changed)).toEqual({ ...checkout, attempts: [refused, changed, open] });
});

test.each([
  ['the reference that opened its account', 'paystack', `${REFERENCE}-C-2`, open],
  ['an earlier reference of the same attempt', 'paystack', `${REFERENCE}-C`, open],
  ['a later reference of the same attempt', 'paystack', `${REFERENCE}-C-3`, undefined],
  ['another attempt at another provider', 'paystack', `${REFERENCE}-B`, undefined],
  ['an attempt that was not shown', 'monnify', `${REFERENCE}-B`, unknown],
  ['an attempt that the provider rejected', 'korapay', REFERENCE, undefined],
] as const)(
  'a report lands on the attempt of its provider that used its reference: %s',
  (_, provider, reference, found) => {
    expect(findReportedAttempt(checkout, provider, reference)).toBe(found);
  },
);

test('money that an operator assigned belongs to the last attempt at its provider', () => {
  expect(findPaidAttempt(checkout, 'paystack', 'PAY-AAAAAAAAAAAAAAAAAAAA')).toBe(open);
  expect(findPaidAttempt(checkout, 'monnify', `${REFERENCE}-C`)).toBe(unknown);
});

test('a provider may report only live attempts of its own; references of other providers are foreign', () => {
  expect(hasLiveAttemptAt('monnify', checkout)).toBe(true);
  expect(hasLiveAttemptAt('monnify', { ...checkout, mode: 'test' })).toBe(false);
  expect(hasLiveAttemptAt('monnify', { ...checkout, attempts: [open] })).toBe(false);
  expect(isForeignReference('monnify', checkout, `${REFERENCE}-B-3`)).toBe(false);
  expect(isForeignReference('monnify', checkout, `${REFERENCE}-C`)).toBe(true);
  expect(isForeignReference('monnify', checkout, REFERENCE)).toBe(true);
  expect(isForeignReference('monnify', { ...checkout, mode: 'test' }, `${REFERENCE}-B`)).toBe(true);
});
