import {
  currentSpan,
  firstReconciliation,
  isCurrent,
  pageCompared,
  partCompared,
  type Reconciliation,
  type ReconciliationPass,
  reconciliation,
} from '#shared/payments/domain/reconciliation.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { NOON } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

/** A span of an hour that ends at noon, of which nothing is compared yet. */
const spanOf = (of: Partial<Reconciliation> = {}): Reconciliation => ({
  provider: 'paystack',
  pass: 'recent',
  from: NOON - HOUR,
  to: NOON,
  cursor: null,
  done: 0,
  dueAt: NOON,
  version: 7,
  ...of,
});

describe('a reconciliation', () => {
  test.each<[ReconciliationPass, number]>([
    ['recent', HOUR],
    ['week', 7 * DAY],
  ])('of pass %p looks back %i ms the first time, and is due at once', (pass, overlap) => {
    expect(firstReconciliation('monnify', pass, NOON)).toEqual({
      provider: 'monnify',
      pass,
      from: NOON - overlap,
      to: NOON,
      cursor: null,
      done: 0,
      dueAt: NOON,
      version: 1,
    });
  });

  test.each<[string, Partial<Reconciliation>]>([
    ['of the last hours', {}],
    ['of the week', { pass: 'week' }],
    ['in the midst of a page', { cursor: 'page-3', done: 12 }],
  ])('is stored and read back: %s', (_, of) => {
    expectEveryFieldRequired(reconciliation, spanOf(of));
  });

  test('is not stored with another pass', () => {
    expect(reconciliation.safeParse({ ...spanOf(), pass: 'month' }).success).toBe(false);
  });

  test.each<[string, Partial<Reconciliation>, boolean]>([
    ['not before its time', { dueAt: NOON + 1 }, true],
    ['in its time', { dueAt: NOON }, false],
    ['after its time', { dueAt: NOON - 1 }, false],
    ['before its time when a page is begun', { dueAt: NOON + 1, cursor: 'page-2' }, false],
    ['before its time when a payment of the first page is compared', { dueAt: NOON + 1, done: 1 }, false],
  ])('is made %s', (_, of, current) => {
    expect(isCurrent(spanOf(of), NOON)).toBe(current);
  });
});

describe('the span that is compared next', () => {
  test.each<[string, number, number]>([
    ['ends now', NOON - HOUR, NOON],
    ['ends now when six hours are missing', NOON - 6 * HOUR, NOON],
    ['has six hours when more are missing', NOON - 6 * HOUR - 1, NOON - 1],
    ['has six hours after days', NOON - 3 * DAY, NOON - 3 * DAY + 6 * HOUR],
  ])('%s', (_, from, to) => {
    const before = spanOf({ from, to: from });
    expect(currentSpan(before, NOON)).toEqual({ ...before, to });
  });

  test.each<[string, Partial<Reconciliation>]>([
    ['a page', { cursor: 'page-2' }],
    ['a payment', { done: 1 }],
  ])('is the one before when %s of it is compared', (_, of) => {
    const begun = spanOf(of);
    expect(currentSpan(begun, NOON + HOUR)).toBe(begun);
  });
});

describe('what was compared', () => {
  test('of a page adds up', () => {
    expect(partCompared(spanOf({ cursor: 'page-2', done: 5 }), 3)).toEqual(
      spanOf({ cursor: 'page-2', done: 8, version: 8 }),
    );
  });

  test('as a whole page leads to the beginning of the next', () => {
    expect(pageCompared(spanOf({ cursor: 'page-2', done: 5 }), 'page-3', NOON + HOUR)).toEqual(
      spanOf({ cursor: 'page-3', done: 0, version: 8 }),
    );
  });

  test.each<[string, ReconciliationPass, number, Pick<Reconciliation, 'from' | 'dueAt'>]>([
    [
      'follows after ten minutes with an hour of overlap',
      'recent',
      0,
      { from: NOON - HOUR, dueAt: NOON + 10 * MINUTE },
    ],
    [
      'follows after ten minutes when the span took nearly as long',
      'recent',
      10 * MINUTE - 1,
      { from: NOON - HOUR, dueAt: NOON + 20 * MINUTE - 1 },
    ],
    [
      'follows at once when ten minutes were missed',
      'recent',
      10 * MINUTE,
      { from: NOON - HOUR, dueAt: NOON + 10 * MINUTE },
    ],
    [
      'follows after a day with a week of overlap',
      'week',
      DAY - 1,
      { from: NOON - 7 * DAY, dueAt: NOON + 2 * DAY - 1 },
    ],
    ['follows at once when a day was missed', 'week', DAY, { from: NOON - HOUR, dueAt: NOON + DAY }],
  ])('as a whole span: the next one %s', (_, pass, late, next) => {
    const span = spanOf({ pass, from: NOON - 6 * HOUR, cursor: 'page-9', done: 4 });
    expect(pageCompared(span, null, NOON + late)).toEqual({ ...span, ...next, cursor: null, done: 0, version: 8 });
  });

  test('never leads back behind a span that is still catching up', () => {
    const span = spanOf({ from: NOON - 30 * MINUTE });
    expect(pageCompared(span, null, NOON + HOUR).from).toBe(NOON - 30 * MINUTE);
    // Caught up, the overlap decides alone.
    expect(pageCompared(span, null, NOON).from).toBe(NOON - HOUR);
  });
});
