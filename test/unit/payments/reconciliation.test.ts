import {
  afterFailedPage,
  afterPage,
  choosePasses,
  computeDelay,
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

/** Builds a span of an hour that ends at noon. None of it is compared yet. */
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
const withoutOpenSpan = (changes: Partial<Reconciliation> = {}): Reconciliation => {
  const { from } = spanOf(changes);
  return spanOf({ to: from, until: from, ...changes });
};

describe('a reconciliation list', () => {
  test.each<[ReconciliationPass, number]>([
    ['recent', HOUR],
    ['hours', 9 * HOUR],
    ['week', 7 * DAY + 9 * HOUR],
  ])('looks back as far as its pass the first time, and is due at once: %p, %i ms', (pass, overlap) => {
    const from = NOON - overlap;
    const id = { provider: 'paystack', pass, list: 0, lists: 1 } as const;
    expect(planLists({ provider: 'paystack', pass, lists: 1 }, [], NOON)).toEqual({
      missing: [{ ...id, from, to: from, until: from, cursor: null, comparedUntil: from, dueAt: NOON, version: 1 }],
      obsolete: [],
    });
  });

  test.each<[string, Partial<Reconciliation>]>([
    ['the pass of the last hour', {}],
    ['the pass of the week', { pass: 'week' }],
    ['the third of four lists', { list: 2, lists: 4 }],
    ['a list at its third page', { cursor: 'page-3' }],
  ])('can be stored and read back: %s', (_, changes) => {
    expectEveryFieldRequired(reconciliation, spanOf(changes));
    expect(reconciliation.parse(spanOf(changes))).toEqual(spanOf(changes));
  });

  test('cannot be stored with another pass', () => {
    expect(reconciliation.safeParse({ ...spanOf(), pass: 'month' }).success).toBe(false);
  });

  test('gets planned if it is missing, and otherwise stays unchanged', () => {
    const four = { provider: 'paystack', pass: 'recent', lists: 4 } as const;
    const { missing: begun } = planLists(four, [], NOON);
    expect(begun.map(({ list }) => list)).toEqual([0, 1, 2, 3]);
    const without = begun.filter(({ list }) => list !== 2);
    expect(planLists(four, without, NOON).missing).toMatchObject([{ list: 2, lists: 4 }]);
    expect(planLists(four, begun, NOON)).toEqual({ missing: [], obsolete: [] });
  });

  test('continues from the slowest of the old lists, which end, if the number of lists changes', () => {
    const before = [
      spanOf({ list: 0, lists: 2, comparedUntil: NOON - DAY }),
      spanOf({ list: 1, lists: 2, comparedUntil: NOON - 3 * DAY }),
    ];
    const { missing: begun, obsolete: ended } = planLists(
      { provider: 'paystack', pass: 'recent', lists: 1 },
      before,
      NOON,
    );
    const from = NOON - 3 * DAY - HOUR;
    expect(begun).toMatchObject([{ list: 0, lists: 1, from, comparedUntil: NOON - 3 * DAY }]);
    expect(ended).toEqual(before);
  });

  test('exists also for the pass of nine hours at a provider that lists a payment under the creation time of its checkout', () => {
    expect(choosePasses(true)).toEqual(['recent', 'hours', 'week']);
    expect(choosePasses(false)).toEqual(['recent', 'week']);
  });
});

describe('the delay of a list', () => {
  test.each<[string, Partial<Reconciliation>, number]>([
    ['has no delay within its ten minutes', { comparedUntil: NOON - 10 * MINUTE }, 0],
    ['counts from the end of its ten minutes', { comparedUntil: NOON - 10 * MINUTE - 1 }, 1],
    ['has no delay within its day', { pass: 'week', comparedUntil: NOON - DAY }, 0],
    ['counts from the end of its day', { pass: 'week', comparedUntil: NOON - DAY - HOUR }, HOUR],
    [
      'covers all time that was not compared, while the list catches up',
      { comparedUntil: NOON - 7 * DAY, dueAt: NOON },
      7 * DAY - 10 * MINUTE,
    ],
  ])('%s', (_, state, late) => {
    expect(computeDelay(spanOf(state), NOON)).toBe(late);
  });
});

test('a list page that the provider did not answer is asked for again in a minute', () => {
  const span = spanOf({ cursor: 'page-2' });
  expect(afterFailedPage(span, NOON)).toEqual({ ...span, dueAt: NOON + MINUTE, version: 8 });
});

describe('the next span', () => {
  test.each<[string, number, number]>([
    ['ends now', NOON - HOUR, NOON],
    ['ends now when six hours are missing', NOON - 6 * HOUR, NOON],
    ['has six hours when more are missing', NOON - 6 * HOUR - 1, NOON - 1],
    ['has six hours when days are missing', NOON - 3 * DAY, NOON - 3 * DAY + 6 * HOUR],
  ])('%s', (_, from, to) => {
    const before = withoutOpenSpan({ from });
    expect(currentSpan(before, NOON, 0)).toEqual({ ...before, to, until: NOON });
  });

  test('ends later if the list’s time may be ahead of ours', () => {
    expect(currentSpan(withoutOpenSpan(), NOON, HOUR)).toMatchObject({ to: NOON + HOUR, until: NOON + HOUR });
  });

  test('stays the same while its list pages are compared', () => {
    const unfinished = spanOf({ cursor: 'page-2' });
    expect(currentSpan(unfinished, NOON + HOUR, 0)).toBe(unfinished);
  });

  test('belongs to the unfinished round, whose end does not move', () => {
    const unfinished = spanOf({ from: NOON - DAY });
    expect(currentSpan(unfinished, NOON + HOUR, 0)).toEqual({ ...unfinished, to: NOON - DAY + 6 * HOUR });
  });

  test('begins a second early, because providers do not say whether a span includes its ends', () => {
    expect(listedPart(spanOf())).toEqual({ from: NOON - HOUR - SECOND, to: NOON });
  });

  test('gives each of three parallel lists a third of every five minutes', () => {
    const parts = [0, 1, 2].map((list) => listedPart(spanOf({ list, lists: 3, to: NOON - 55 * MINUTE })));
    expect(parts.map((part) => part && part.from + SECOND - NOON + HOUR)).toEqual([0, 100 * SECOND, 200 * SECOND]);
    expect(parts.map((part) => part && part.to - NOON + HOUR)).toEqual([100 * SECOND, 200 * SECOND, 5 * MINUTE]);
  });

  test('has no part for a list whose share begins later', () => {
    expect(listedPart(spanOf({ list: 2, lists: 3, to: NOON - 57 * MINUTE }))).toBeUndefined();
  });
});

describe('the progress after a list page', () => {
  test('continues with the next list page, which is due at once', () => {
    expect(afterPage(spanOf({ cursor: 'page-2' }), 'page-3', NOON + HOUR, 0)).toEqual(
      spanOf({ cursor: 'page-3', dueAt: NOON + HOUR, version: 8 }),
    );
  });

  test('continues after the last list page with the next span of the round, which is due at once', () => {
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
      'starts ten minutes after the start of this one, with an hour of overlap',
      'recent',
      10 * MINUTE - 1,
      { from: NOON - HOUR, dueAt: NOON + 10 * MINUTE },
    ],
    [
      'starts at once if this one took ten minutes, with the same overlap',
      'recent',
      10 * MINUTE,
      { from: NOON - HOUR, dueAt: NOON + 10 * MINUTE },
    ],
    [
      'looks back nine hours, because a row may be listed before it is paid',
      'hours',
      HOUR,
      { from: NOON - 9 * HOUR, dueAt: NOON + HOUR },
    ],
    [
      'starts a day after the start of this one, with a week of overlap',
      'week',
      DAY - 1,
      { from: NOON - 7 * DAY - 9 * HOUR, dueAt: NOON + DAY },
    ],
  ])('ends a round after its last span: the next round %s', (_, pass, late, next) => {
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

  test('is compared only up to the end of the span, less the time by which the clock of the list may be ahead of ours', () => {
    const span = spanOf({ until: NOON + HOUR, to: NOON + HOUR });
    expect(afterPage(span, null, NOON, HOUR)).toMatchObject({ comparedUntil: NOON, from: NOON - HOUR });
  });

  test('never goes back when a round of the week repeats what an earlier round has compared', () => {
    const span = spanOf({ pass: 'week', to: NOON - 6 * DAY, comparedUntil: NOON - DAY });
    expect(afterPage(span, null, NOON, 0).comparedUntil).toBe(NOON - DAY);
  });
});

describe('a day of reconciliation', () => {
  /** Simulates a day. Returns the spans that the lists ask for, and until when each list claims that all is compared. `ahead`: milliseconds. */
  const simulateDay = (pass: ReconciliationPass, lists: number, ahead: number, secondsOfPage: number) => {
    const requests: { at: number; from: number; to: number }[] = [];
    const claims: { list: number; at: number; comparedUntil: number }[] = [];
    const { missing: begun } = planLists({ provider: 'korapay', pass, lists }, [], NOON);
    for (const first of begun) {
      let [state, now] = [first, NOON];
      while (now < NOON + DAY) {
        now = Math.max(now, state.dueAt);
        const span = currentSpan(state, now, ahead);
        const part = listedPart(span);
        if (part) requests.push({ at: now, ...part });
        if (part) now += secondsOfPage * SECOND;
        state = afterPage(span, null, now, ahead);
        claims.push({ list: first.list, at: now, comparedUntil: state.comparedUntil });
      }
    }
    return { requests, claims };
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
    'finds every payment after it was made: pass %p, %i lists, ahead by at most %i ms, paid up to %i ms after listing, %i s a page',
    (...scene) => {
      const [pass, lists, ahead, life, seconds] = scene;
      const { requests, claims } = simulateDay(pass, lists, ahead, seconds);
      /** Finds when all lists claim for the first time that payments until then are compared. */
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
            const isFound = ({ at, from, to }: (typeof requests)[number]): boolean =>
              at >= paidAt && from <= listedAs && listedAs <= to;
            const first = Math.min(...requests.filter(isFound).map(({ at }) => at));
            const name = `A payment of ${paidAt - NOON} ms`;
            if (!(first - paidAt <= most)) throw new Error(`${name} is found ${first - paidAt} ms later.`);
            if (claimedAt(paidAt) < first) throw new Error(`${name} is said to be compared before it is found.`);
          }
    },
  );
});
