import * as z from 'zod/mini';
import {
  behindTime,
  currentSpan,
  firstReconciliation,
  notListed,
  pageCompared,
  type Reconciliation,
  type ReconciliationPass,
  reconciliation,
  takenOver,
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
  comparedUntil: NOON - HOUR,
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
      comparedUntil: NOON - overlap,
      dueAt: NOON,
      version: 1,
    });
  });

  test.each<[string, Partial<Reconciliation>]>([
    ['of the last hours', {}],
    ['of the week', { pass: 'week' }],
    ['at its third page', { cursor: 'page-3' }],
  ])('is stored and read back: %s', (_, of) => {
    const { comparedUntil, ...stored } = spanOf(of);
    expectEveryFieldRequired(z.omit(reconciliation, { comparedUntil: true }), stored);
    expect(reconciliation.parse(spanOf(of))).toEqual({ ...stored, comparedUntil });
  });

  test('is not stored with another pass', () => {
    expect(reconciliation.safeParse({ ...spanOf(), pass: 'month' }).success).toBe(false);
  });
});

describe('the state of a release that queued nothing', () => {
  const { comparedUntil: _, ...old } = spanOf();
  test.each<[string, Partial<Reconciliation>, number]>([
    ['that had caught up: all of its span was compared', { dueAt: NOON + 10 * MINUTE }, NOON],
    ['in the midst of its span: all before that was', { cursor: 'page-2', dueAt: NOON - MINUTE }, NOON - HOUR],
    ['that was catching up: all before its next span was', { from: NOON - DAY, dueAt: NOON }, NOON - DAY],
  ])('is taken over as one %s', (_name, state, comparedUntil) => {
    expect(takenOver({ ...old, ...state })).toEqual({ ...old, ...state, comparedUntil, version: 8 });
  });

  test('is taken over once', () => {
    expect(takenOver(spanOf())).toBeUndefined();
  });
});

describe('a pass is behind its time', () => {
  test.each<[string, Partial<Reconciliation>, number]>([
    ['by nothing within its ten minutes', { comparedUntil: NOON - 10 * MINUTE }, 0],
    ['by what is more than its ten minutes', { comparedUntil: NOON - 10 * MINUTE - 1 }, 1],
    ['by nothing within its day', { pass: 'week', comparedUntil: NOON - DAY }, 0],
    ['by what is more than its day', { pass: 'week', comparedUntil: NOON - DAY - HOUR }, HOUR],
    [
      'by all that was not compared while it catches up',
      { comparedUntil: NOON - 7 * DAY, dueAt: NOON },
      7 * DAY - 10 * MINUTE,
    ],
    ['since what was compared before it, where an older release wrote it', { comparedUntil: undefined }, 50 * MINUTE],
  ])('%s', (_, state, late) => {
    expect(behindTime(spanOf(state), NOON)).toBe(late);
  });
});

test('a list that is not answered is asked for again in a minute, at the same page', () => {
  const span = spanOf({ cursor: 'page-2' });
  expect(notListed(span, NOON)).toEqual({ ...span, dueAt: NOON + MINUTE, version: 8 });
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

  test('is the one before when a page of it is compared', () => {
    const begun = spanOf({ cursor: 'page-2' });
    expect(currentSpan(begun, NOON + HOUR)).toBe(begun);
  });
});

describe('what was compared', () => {
  test('as a whole page leads to the next, which is due at once', () => {
    expect(pageCompared(spanOf({ cursor: 'page-2' }), 'page-3', NOON + HOUR)).toEqual(
      spanOf({ cursor: 'page-3', dueAt: NOON + HOUR, version: 8 }),
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
    const span = spanOf({ pass, from: NOON - 6 * HOUR, cursor: 'page-9' });
    expect(pageCompared(span, null, NOON + late)).toEqual({
      ...span,
      ...next,
      cursor: null,
      comparedUntil: NOON,
      version: 8,
    });
  });

  test('as a span of a pass that repeats a week does not undo what the pass before has compared', () => {
    const span = spanOf({ pass: 'week', to: NOON - 6 * DAY, comparedUntil: NOON - DAY });
    expect(pageCompared(span, null, NOON).comparedUntil).toBe(NOON - DAY);
  });

  test('never leads back behind a span that is still catching up', () => {
    const span = spanOf({ from: NOON - 30 * MINUTE });
    expect(pageCompared(span, null, NOON + HOUR).from).toBe(NOON - 30 * MINUTE);
    // Caught up, the overlap decides alone.
    expect(pageCompared(span, null, NOON).from).toBe(NOON - HOUR);
  });
});
