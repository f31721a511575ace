import {
  afterFailedPage,
  afterPage,
  behindTime,
  choosePasses,
  currentSpan,
  listedPart,
  PASSES,
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
    ['week', 7 * DAY + 9 * HOUR],
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

  test('goes on from where the lists before it have come to, which end, where a setting asks for another number', () => {
    const before = [
      spanOf({ list: 0, lists: 2, comparedUntil: NOON - DAY }),
      spanOf({ list: 1, lists: 2, comparedUntil: NOON - 3 * DAY }),
    ];
    const { begun, ended } = planLists({ provider: 'paystack', pass: 'recent', lists: 1 }, before, NOON);
    const from = NOON - 3 * DAY - HOUR;
    expect(begun).toMatchObject([{ list: 0, lists: 1, from, comparedUntil: NOON - 3 * DAY }]);
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
  expect(afterFailedPage(span, NOON)).toEqual({ ...span, dueAt: NOON + MINUTE, version: 8 });
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

  test('has a third of each five minutes, where three lists are compared side by side', () => {
    const parts = [0, 1, 2].map((list) => listedPart(spanOf({ list, lists: 3, to: NOON - 55 * MINUTE })));
    expect(parts.map((part) => part && part.from + SECOND - NOON + HOUR)).toEqual([0, 100 * SECOND, 200 * SECOND]);
    expect(parts.map((part) => part && part.to - NOON + HOUR)).toEqual([100 * SECOND, 200 * SECOND, 5 * MINUTE]);
  });

  test('has nothing of a list whose turn has not come', () => {
    expect(listedPart(spanOf({ list: 2, lists: 3, to: NOON - 57 * MINUTE }))).toBeUndefined();
  });
});

describe('what was compared', () => {
  test('as a whole page leads to the next, which is due at once', () => {
    expect(afterPage(spanOf({ cursor: 'page-2' }), 'page-3', NOON + HOUR, 0)).toEqual(
      spanOf({ cursor: 'page-3', dueAt: NOON + HOUR, version: 8 }),
    );
  });

  test('as a span leads to the next of its round, which is due at once', () => {
    const span = spanOf({ from: NOON - DAY, to: NOON - 18 * HOUR, comparedUntil: NOON - DAY });
    expect(afterPage(span, null, NOON + MINUTE, 0)).toEqual({
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
      'follows at once when it took ten minutes, and looks back as far',
      'recent',
      10 * MINUTE,
      { from: NOON - HOUR, dueAt: NOON + 10 * MINUTE },
    ],
    [
      'looks back nine hours, as a row may have been listed before it was paid',
      'hours',
      HOUR,
      { from: NOON - 9 * HOUR, dueAt: NOON + HOUR },
    ],
    [
      'follows a day after it began, with a week of overlap',
      'week',
      DAY - 1,
      { from: NOON - 7 * DAY - 9 * HOUR, dueAt: NOON + DAY },
    ],
  ])('as a round: the next one %s', (_, pass, late, next) => {
    const span = spanOf({ pass, from: NOON - 6 * HOUR, cursor: 'page-9' });
    expect(afterPage(span, null, NOON + late, 0)).toEqual({
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
    expect(afterPage(span, null, NOON, HOUR)).toMatchObject({ comparedUntil: NOON, from: NOON - HOUR });
  });

  test('of a week that is repeated does not undo what the round before has compared', () => {
    const span = spanOf({ pass: 'week', to: NOON - 6 * DAY, comparedUntil: NOON - DAY });
    expect(afterPage(span, null, NOON, 0).comparedUntil).toBe(NOON - DAY);
  });
});

describe('every payment is listed after it was made', () => {
  /** Plays a day: the spans that each list asks for, and until when it says that all is compared; the page of a span takes a while. */
  const play = (pass: ReconciliationPass, lists: number, ahead: number, secondsOfPage: number) => {
    const asked: { at: number; from: number; to: number }[] = [];
    const claims: { list: number; at: number; comparedUntil: number }[] = [];
    const { begun } = planLists({ provider: 'korapay', pass, lists }, [], NOON);
    for (const first of begun) {
      let [state, now] = [first, NOON];
      while (now < NOON + DAY) {
        now = Math.max(now, state.dueAt);
        const span = currentSpan(state, now, ahead);
        const part = listedPart(span);
        if (part) asked.push({ at: now, ...part });
        if (part) now += secondsOfPage * SECOND;
        state = afterPage(span, null, now, ahead);
        claims.push({ list: first.list, at: now, comparedUntil: state.comparedUntil });
      }
    }
    return { asked, claims };
  };

  test.each<[ReconciliationPass, number, number, number, number]>([
    ['recent', 1, 0, 0, 1],
    ['recent', 1, HOUR, 0, 200],
    ['recent', 1, 0, 0, 2_000],
    ['recent', 2, 0, 0, 15],
    ['recent', 4, HOUR, 0, 5],
    ['recent', 7, HOUR, 0, 90],
    ['recent', 13, 0, 0, 3],
    ['hours', 1, 0, 8 * HOUR, 1],
    ['hours', 1, 0, 8 * HOUR, 4_000],
    ['hours', 4, 0, 8 * HOUR, 2],
    ['hours', 32, 0, 8 * HOUR, 300],
  ])(
    'in pass %p by %i lists, ahead by %i ms at most, up to %i ms after its row was made, with %i seconds a page',
    (...scene) => {
      const [pass, lists, ahead, life, seconds] = scene;
      const { asked, claims } = play(pass, lists, ahead, seconds);
      /** When all lists say for the first time that what was paid by then is compared. */
      const claimedAt = (paidAt: number): number =>
        Math.max(
          ...Array.from({ length: lists }, (_, list) => list).map(
            (list) => claims.find((claim) => claim.list === list && claim.comparedUntil > paidAt)?.at ?? Infinity,
          ),
        );
      const spans = lists === 1 ? 3 : 42;
      const most = PASSES[pass].every + 2 * spans * seconds * SECOND;
      for (const isAhead of ahead > 0 ? [false, true] : [false])
        for (const age of [0, life])
          for (let paidAt = NOON; paidAt < NOON + 12 * HOUR; paidAt += 47 * SECOND) {
            const listedAs = paidAt - age + (isAhead ? ahead : 0);
            const isFound = ({ at, from, to }: (typeof asked)[number]): boolean =>
              at >= paidAt && from <= listedAs && listedAs <= to;
            const first = Math.min(...asked.filter(isFound).map(({ at }) => at));
            const name = `A payment of ${paidAt - NOON} ms`;
            if (!(first - paidAt <= most)) throw new Error(`${name} is found ${first - paidAt} ms later.`);
            if (claimedAt(paidAt) < first) throw new Error(`${name} is said to be compared before it is.`);
          }
    },
  );
});
