import fc from 'fast-check';
import {
  ATTEMPT_TIMEOUT,
  type Attempt,
  cancel,
  claim,
  type Delivery,
  delivery as deliverySchema,
  failAttempt,
  jobOf,
  LEASE,
  newDelivery,
  putBack,
  succeed,
  takeUp,
} from '#shared/domain/delivery.ts';
import { RETRY_GAPS, retryGap } from '#shared/domain/retry-schedule.ts';
import { DAY, MINUTE, SECOND } from '#shared/domain/time.ts';
import type { Expectation, Transition } from '#shared/domain/transition.ts';
import { id, NOON, SHOP, storedEvent } from './examples.ts';

const holds = (stored: unknown, wanted: Expectation): boolean => {
  if (Array.isArray(wanted)) return wanted.includes(stored as never);
  if (typeof wanted === 'object' && wanted !== null && 'below' in wanted) return Number(stored) < wanted.below;
  return stored === wanted;
};

/** What the table does with a transition, in memory. */
const apply = (stored: Delivery, { expect: expected, set }: Transition<Delivery>): Delivery | undefined =>
  Object.entries(expected).every(([field, wanted]) => holds(stored[field as keyof Delivery], wanted as Expectation))
    ? { ...stored, ...set }
    : undefined;

const must = (after: Delivery | undefined): Delivery => {
  if (!after) throw new Error('The transition did not hold.');
  return after;
};

const born = newDelivery(id('dlv'), id('whe'), storedEvent());
const [ADA, BAYO] = [id('lease', 1), id('lease', 2)];
const made = (number: number): Attempt => ({
  number,
  at: NOON,
  statusCode: 503,
  durationMs: 120,
  error: null,
  response: 'Service Unavailable',
});
const claimed = must(apply(born, claim(jobOf(born), ADA, NOON)));

describe('a delivery', () => {
  test('is born pending and already due, so that a crash before the queue send costs nothing', () => {
    expect(born).toEqual({
      id: id('dlv'),
      eventId: id('evt'),
      endpointId: id('whe'),
      businessId: SHOP,
      mode: 'test',
      eventType: 'checkout.paid',
      state: 'pending',
      attempt: 0,
      generation: 0,
      leaseToken: null,
      leaseUntil: 0,
      nextAttemptAt: NOON,
      dueAt: NOON + 10 * SECOND,
      lastAttempt: null,
      createdAt: NOON,
      expiresAt: NOON + 90 * DAY,
    });
    expect(deliverySchema.parse(born)).toEqual(born);
  });

  test('is named in the queue by its event, its endpoint and the state that the sender saw', () => {
    expect(jobOf({ ...born, attempt: 3, generation: 2 })).toEqual({
      eventId: id('evt'),
      endpointId: id('whe'),
      attempt: 3,
      generation: 2,
    });
  });

  test('is claimed under a lease that outlives the attempt', () => {
    expect(LEASE).toBeGreaterThan(ATTEMPT_TIMEOUT);
    expect(claim(jobOf(born), ADA, NOON)).toEqual({
      expect: { attempt: 0, generation: 0, state: ['pending', 'delivering'], leaseUntil: { below: NOON } },
      set: {
        state: 'delivering',
        attempt: 1,
        leaseToken: ADA,
        leaseUntil: NOON + 30 * SECOND,
        nextAttemptAt: null,
        dueAt: NOON + 31 * SECOND,
      },
    });
  });

  test('is claimed once by one job, however often the queue repeats it', () => {
    expect(apply(claimed, claim(jobOf(born), BAYO, NOON + SECOND))).toBeUndefined();
    expect(apply(claimed, claim(jobOf(born), BAYO, NOON + DAY))).toBeUndefined();
  });

  test.each([
    ['while the lease runs', NOON + LEASE - 1, false],
    ['in the lease’s last millisecond', NOON + LEASE, false],
    ['once the lease has lapsed', NOON + LEASE + 1, true],
  ])('that somebody holds is claimed by a fresh job: %s', (_, at, taken) => {
    const after = apply(claimed, claim(jobOf(claimed), BAYO, at));
    expect(after?.attempt).toBe(taken ? 2 : undefined);
  });

  test.each(['succeeded', 'exhausted', 'cancelled'] as const)('that is %s is never claimed again', (state) => {
    const over = { ...born, state };
    expect(apply(over, claim(jobOf(over), ADA, NOON))).toBeUndefined();
  });

  test('of a newer generation is not claimed by an older message', () => {
    expect(apply({ ...born, generation: 1 }, claim(jobOf(born), ADA, NOON))).toBeUndefined();
  });

  test('that succeeded is over: no lease, nothing due', () => {
    const attempt = { ...made(1), statusCode: 200 };
    expect(succeed(claimed, attempt)).toEqual({
      expect: { leaseToken: ADA },
      set: {
        state: 'succeeded',
        leaseToken: null,
        leaseUntil: 0,
        nextAttemptAt: null,
        dueAt: null,
        lastAttempt: attempt,
      },
    });
  });

  test('that failed waits for its next attempt, counted from the end of the last one', () => {
    const endedAt = NOON + 12 * SECOND;
    expect(failAttempt(claimed, made(1), endedAt, 0.5)).toEqual({
      expect: { leaseToken: ADA },
      set: {
        state: 'pending',
        leaseToken: null,
        leaseUntil: 0,
        nextAttemptAt: endedAt + 5 * SECOND,
        dueAt: endedAt + 15 * SECOND,
        lastAttempt: made(1),
      },
    });
  });

  test('that failed for the last time is exhausted and nothing is due', () => {
    const last = RETRY_GAPS.length + 1;
    expect(failAttempt(claimed, made(last), NOON, 0.5)).toEqual({
      expect: { leaseToken: ADA },
      set: {
        state: 'exhausted',
        leaseToken: null,
        leaseUntil: 0,
        nextAttemptAt: null,
        dueAt: null,
        lastAttempt: made(last),
      },
    });
  });

  test('whose endpoint is gone is cancelled', () => {
    expect(cancel(claimed)).toEqual({
      expect: { leaseToken: ADA },
      set: { state: 'cancelled', leaseToken: null, leaseUntil: 0, nextAttemptAt: null, dueAt: null },
    });
  });

  test('keeps the result of whoever holds the lease only', () => {
    const retaken = must(apply(claimed, claim(jobOf(claimed), BAYO, NOON + LEASE + 1)));
    for (const late of [succeed(claimed, made(1)), failAttempt(claimed, made(1), NOON, 0), cancel(claimed)]) {
      expect(apply(retaken, late)).toBeUndefined();
    }
    expect(apply(retaken, succeed(retaken, made(2)))?.state).toBe('succeeded');
  });

  test('is taken up by one sweeper of two, and is due again only after its backlog had time', () => {
    const dueAt = NOON + 10 * SECOND;
    const taken = must(apply(born, takeUp(dueAt, NOON + MINUTE)));
    expect(taken).toEqual({ ...born, dueAt: NOON + MINUTE + 5 * MINUTE });
    expect(apply(taken, takeUp(dueAt, NOON + MINUTE))).toBeUndefined();
  });

  test('that the queue refused is put back, due again soon', () => {
    const taken = must(apply(born, takeUp(NOON + 10 * SECOND, NOON + MINUTE)));
    expect(apply(taken, putBack(taken, NOON + MINUTE))).toEqual({ ...taken, dueAt: NOON + MINUTE + 10 * SECOND });
  });

  test('that a consumer got hold of meanwhile is not put back', () => {
    const taken = must(apply(born, takeUp(NOON + 10 * SECOND, NOON + MINUTE)));
    const held = must(apply(taken, claim(jobOf(taken), ADA, NOON + MINUTE)));
    expect(apply(held, putBack(taken, NOON + MINUTE))).toBeUndefined();
  });

  test('sends no attempt number twice and never has two holders, whatever consumers and clocks do', () => {
    const steps = fc.array(
      fc.record({
        what: fc.constantFrom('claim', 'claim an old job', 'fail', 'succeed', 'sweep', 'put back'),
        who: fc.constantFrom(0, 1, 2),
        age: fc.nat(5),
        wait: fc.constantFrom(0, 1, SECOND, LEASE, LEASE + 1, 10 * MINUTE),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (sequence) => {
        let now = NOON;
        let stored = born;
        const queued = [jobOf(born)];
        let tokens = 0;
        const held: (Delivery | undefined)[] = [undefined, undefined, undefined];
        const sent: string[] = [];

        for (const { what, who, age, wait } of sequence) {
          now += wait;
          const mine = held[who];
          const before = stored;
          if (what === 'claim' || what === 'claim an old job') {
            const job = (what === 'claim an old job' ? queued.at(-1 - age) : undefined) ?? jobOf(stored);
            tokens += 1;
            const after = apply(stored, claim(job, id('lease', tokens), now));
            if (after) {
              expect(before.leaseUntil).toBeLessThan(now);
              expect(['pending', 'delivering']).toContain(before.state);
              sent.push(`${after.generation}.${after.attempt}`);
              held[who] = after;
              stored = after;
            }
          } else if (what === 'sweep') {
            if (stored.dueAt !== null && stored.dueAt <= now)
              stored = apply(stored, takeUp(stored.dueAt, now)) ?? stored;
          } else if (what === 'put back') {
            stored = apply(stored, putBack(before, now)) ?? stored;
          } else if (mine) {
            const end =
              what === 'fail' ? failAttempt(mine, made(mine.attempt), now, 0.5) : succeed(mine, made(mine.attempt));
            stored = apply(stored, end) ?? stored;
            held[who] = undefined;
          }
          queued.push(jobOf(stored));

          const over = ['succeeded', 'exhausted', 'cancelled'].includes(stored.state);
          expect(deliverySchema.safeParse(stored).success).toBe(true);
          expect(stored.leaseToken === null).toBe(stored.state !== 'delivering');
          // Whatever is not over is due at some time, or it would be lost.
          if (!over) expect(stored.dueAt).not.toBeNull();
        }
        expect(new Set(sent).size).toBe(sent.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the retry schedule', () => {
  test.each([
    [1, 5 * SECOND],
    [2, 30 * SECOND],
    [3, 2 * MINUTE],
    [4, 10 * MINUTE],
  ])('after failed attempt %i waits %i ms, spread by 20 %% either way', (attempt, gap) => {
    expect(retryGap(attempt, 0)).toBe(gap * 0.8);
    expect(retryGap(attempt, 0.5)).toBe(gap);
    expect(retryGap(attempt, 1 - Number.EPSILON)).toBe(gap * 1.2);
  });

  test('stays within its 20 % for every draw, and uses both halves', () => {
    const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: RETRY_GAPS.length }), draws, (attempt, draw) => {
        const gap = RETRY_GAPS[attempt - 1] ?? Number.NaN;
        const wait = retryGap(attempt, draw) ?? Number.NaN;
        expect(Number.isInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(gap * 0.8);
        expect(wait).toBeLessThanOrEqual(gap * 1.2);
        if (draw < 0.4) expect(wait).toBeLessThan(gap);
        if (draw > 0.6) expect(wait).toBeGreaterThan(gap);
      }),
    );
  });

  test('ends after its last gap', () => {
    expect(retryGap(RETRY_GAPS.length, 0.5)).toBeDefined();
    expect(retryGap(RETRY_GAPS.length + 1, 0.5)).toBeUndefined();
    expect(retryGap(RETRY_GAPS.length + 100, 0.5)).toBeUndefined();
  });
});
