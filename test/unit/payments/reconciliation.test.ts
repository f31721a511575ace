import {
  behindTime,
  choosePasses,
  currentSpan,
  listedPart,
  notListed,
  pageCompared,
  planLists,
  type Reconciliation,
  type ReconciliationPass,
  reconciliation,
} from '#shared/payments/domain/reconciliation.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { NOON } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

/** A span of an hour that ends at noon, of which nothing is compared yet. */
const spanOf = (changes: Partial<Reconciliation> = {}): Reconciliation => ({
  provider: 'paystack',
  pass: 'recent',
  list: 0,
  lists: 1,
  from: NOON - HOUR,
  to: NOON,
  until: NOON,
  cursor: null,
  comparedUntil: NOON - HOUR,
  dueAt: NOON,
  version: 7,
  ...changes,
});
const idle = (changes: Partial<Reconciliation> = {}): Reconciliation => {
  const { from } = spanOf(changes);
  return spanOf({ to: from, until: from, ...changes });
};

describe('a list of reconciliation', () => {
  test.each<[ReconciliationPass, number]>([
    ['recent', HOUR],
    ['hours', 9 * HOUR],
    ['week', 7 * DAY],
  ])('of pass %p looks back %i ms the first time, and is due at once', (pass, overlap) => {
    const from = NOON - overlap;
    const id = { provider: 'paystack', pass, list: 0, lists: 1 } as const;
    expect(planLists({ provider: 'paystack', pass, lists: 1 }, [], NOON)).toEqual({
      begun: [{ ...id, from, to: from, until: from, cursor: null, comparedUntil: from, dueAt: NOON, version: 1 }],
      ended: [],
    });
  });

  test.each<[string, Partial<Reconciliation>]>([
    ['of the last hour', {}],
    ['of the week', { pass: 'week' }],
    ['the third of four', { list: 2, lists: 4 }],
    ['at its third page', { cursor: 'page-3' }],
  ])('is stored and read back: %s', (_, changes) => {
    expectEveryFieldRequired(reconciliation, spanOf(changes));
    expect(reconciliation.parse(spanOf(changes))).toEqual(spanOf(changes));
  });

  test('is not stored with another pass', () => {
    expect(reconciliation.safeParse({ ...spanOf(), pass: 'month' }).success).toBe(false);
  });

  test('is planned where it is missing, and left as it is where it is there', () => {
    const four = { provider: 'paystack', pass: 'recent', lists: 4 } as const;
    const { begun } = planLists(four, [], NOON);
    expect(begun.map(({ list }) => list)).toEqual([0, 1, 2, 3]);
    const without = begun.filter(({ list }) => list !== 2);
    expect(planLists(four, without, NOON).begun).toMatchObject([{ list: 2, lists: 4 }]);
    expect(planLists(four, begun, NOON)).toEqual({ begun: [], ended: [] });
  });

  test('begins where the lists before it have come to, which end, where a setting asks for another number', () => {
    const before = [
      spanOf({ list: 0, lists: 2, comparedUntil: NOON - DAY }),
      spanOf({ list: 1, lists: 2, comparedUntil: NOON - 3 * DAY }),
    ];
    const { begun, ended } = planLists({ provider: 'paystack', pass: 'recent', lists: 1 }, before, NOON);
    expect(begun).toMatchObject([{ list: 0, lists: 1, from: NOON - 3 * DAY, comparedUntil: NOON - 3 * DAY }]);
    expect(ended).toEqual(before);
  });

  test('is made of nine hours, too, at a provider that lists a payment by the creation of its checkout', () => {
    expect(choosePasses(true)).toEqual(['recent', 'hours', 'week']);
    expect(choosePasses(false)).toEqual(['recent', 'week']);
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
    const before = idle({ from });
    expect(currentSpan(before, NOON, 0)).toEqual({ ...before, to, until: NOON });
  });

  test('ends later where the time of the list may be ahead of ours', () => {
    expect(currentSpan(idle(), NOON, HOUR)).toMatchObject({ to: NOON + HOUR, until: NOON + HOUR });
  });

  test('is the one before when a page of it is compared', () => {
    const begun = spanOf({ cursor: 'page-2' });
    expect(currentSpan(begun, NOON + HOUR, 0)).toBe(begun);
  });

  test('is the next of its round, whose end does not move', () => {
    const begun = spanOf({ from: NOON - DAY });
    expect(currentSpan(begun, NOON + HOUR, 0)).toEqual({ ...begun, to: NOON - DAY + 6 * HOUR });
  });

  test('begins a second before, as providers do not say whether a span includes its ends', () => {
    expect(listedPart(spanOf())).toEqual({ from: NOON - HOUR - SECOND, to: NOON });
  });

  test('has five minutes of each list, where several are compared side by side', () => {
    const parts = [0, 1, 2].map((list) => listedPart(spanOf({ list, lists: 3, to: NOON - 45 * MINUTE })));
    expect(parts.map((part) => part && (part.from + SECOND - NOON) / MINUTE)).toEqual([-60, -55, -50]);
    expect(parts.map((part) => part && (part.to - NOON) / MINUTE)).toEqual([-55, -50, -45]);
  });

  test('has nothing of a list whose turn has not come', () => {
    expect(listedPart(spanOf({ list: 2, lists: 3, to: NOON - 52 * MINUTE }))).toBeUndefined();
  });
});

describe('what was compared', () => {
  test('as a whole page leads to the next, which is due at once', () => {
    expect(pageCompared(spanOf({ cursor: 'page-2' }), 'page-3', NOON + HOUR, 0)).toEqual(
      spanOf({ cursor: 'page-3', dueAt: NOON + HOUR, version: 8 }),
    );
  });

  test('as a span leads to the next of its round, which is due at once', () => {
    const span = spanOf({ from: NOON - DAY, to: NOON - 18 * HOUR, comparedUntil: NOON - DAY });
    expect(pageCompared(span, null, NOON + MINUTE, 0)).toEqual({
      ...span,
      from: NOON - 18 * HOUR,
      comparedUntil: NOON - 18 * HOUR,
      dueAt: NOON + MINUTE,
      version: 8,
    });
  });

  test.each<[string, ReconciliationPass, number, Pick<Reconciliation, 'from' | 'dueAt'>]>([
    [
      'follows ten minutes after it began, with an hour of overlap',
      'recent',
      10 * MINUTE - 1,
      { from: NOON - HOUR, dueAt: NOON + 10 * MINUTE },
    ],
    [
      'follows at once, and looks back a minute, when ten minutes were missed',
      'recent',
      10 * MINUTE,
      { from: NOON - MINUTE, dueAt: NOON + 10 * MINUTE },
    ],
    [
      'follows a day after it began, with a week of overlap',
      'week',
      DAY - 1,
      { from: NOON - 7 * DAY, dueAt: NOON + DAY },
    ],
    ['follows at once when a day was missed', 'week', DAY, { from: NOON - MINUTE, dueAt: NOON + DAY }],
  ])('as a round: the next one %s', (_, pass, late, next) => {
    const span = spanOf({ pass, from: NOON - 6 * HOUR, cursor: 'page-9' });
    expect(pageCompared(span, null, NOON + late, 0)).toEqual({
      ...span,
      ...next,
      until: next.from,
      cursor: null,
      comparedUntil: NOON,
      version: 8,
    });
  });

  test('by a list whose time may be ahead of ours is certain up to that much before its end', () => {
    const span = spanOf({ until: NOON + HOUR, to: NOON + HOUR });
    expect(pageCompared(span, null, NOON, HOUR)).toMatchObject({ comparedUntil: NOON, from: NOON - HOUR });
  });

  test('of a week that is repeated does not undo what the round before has compared', () => {
    const span = spanOf({ pass: 'week', to: NOON - 6 * DAY, comparedUntil: NOON - DAY });
    expect(pageCompared(span, null, NOON, 0).comparedUntil).toBe(NOON - DAY);
  });
});

describe('every moment is listed', () => {
  /** Minutes that are listed of each list, as they are asked for, through six hours; each page takes a while. */
  const play = (lists: number, ahead: number, secondsOfPage: number) => {
    const asked: { at: number; from: number; to: number }[] = [];
    for (let list = 0; list < lists; list += 1) {
      let now = NOON;
      let [state] = planLists({ provider: 'korapay', pass: 'recent', lists }, [], now).begun.filter(
        (begun) => begun.list === list,
      );
      while (state && now < NOON + 6 * HOUR) {
        now = Math.max(now, state.dueAt);
        const span = currentSpan(state, now, ahead);
        const part = listedPart(span);
        if (part) asked.push({ at: now, ...part });
        if (part) now += secondsOfPage * SECOND;
        state = pageCompared(span, null, now, ahead);
      }
    }
    return asked;
  };

  test.each([
    [1, 0, 1],
    [1, HOUR, 200],
    [2, 0, 45],
    [4, 0, 1],
    [4, HOUR, 20],
    [7, HOUR, 100],
    [13, 0, 3],
  ])('by %i lists whose time is ahead by %i ms at most, with %i seconds a page', (lists, ahead, seconds) => {
    const asked = play(lists, ahead, seconds);
    const most = 10 * MINUTE + 2 * (lists === 1 ? 1 : 130 / 5) * seconds * SECOND;
    for (const isAhead of ahead > 0 ? [false, true] : [false]) {
      for (let paidAt = NOON - 50 * MINUTE; paidAt < NOON + 5 * HOUR; paidAt += 7 * SECOND) {
        const listedAs = paidAt + (isAhead ? ahead : 0);
        const found = asked.filter(({ at, from, to }) => at >= paidAt && from <= listedAs && listedAs <= to);
        const first = Math.min(...found.map(({ at }) => at));
        if (!(first - Math.max(paidAt, NOON) <= most))
          throw new Error(`A payment of ${paidAt - NOON} ms is found ${first - paidAt} ms later.`);
      }
    }
  });
});
