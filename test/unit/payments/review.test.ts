import fc from 'fast-check';
import { firstReview, nextReview, type Review } from '#shared/payments/domain/review.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { OutcomeUnknown, ProviderBusy, ProviderUnavailable } from '#shared/providers/domain/errors.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const paid = { recordedAt: NOON };

describe('the first review of a payment', () => {
  test('falls due within the seventh day, always at the same time for the same payment', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        const first = firstReview({ id, recordedAt: NOON });
        expect(first.dueAt).toBeGreaterThanOrEqual(NOON + 6 * DAY);
        // The review falls due 59 minutes before the end of the week at the latest, so a late sweep is still within the week.
        expect(first.dueAt).toBeLessThan(NOON + 7 * DAY - 59 * MINUTE);
        expect(firstReview({ id, recordedAt: NOON })).toEqual(first);
      }),
    );
  });

  test('spreads evenly: out of a thousand payments at one moment, at most 70 fall due in any hour', () => {
    const hours = Array.from({ length: 1_000 }, (_, i) =>
      Math.floor((firstReview({ id: `pay_${i}`, recordedAt: NOON }).dueAt - NOON) / HOUR),
    );
    const most = Math.max(...[...Map.groupBy(hours, (hour) => hour).values()].map(({ length }) => length));
    expect(most).toBeLessThanOrEqual(70);
  });
});

describe('the next try of a review that failed', () => {
  const tryUntilEnd = (failure: unknown): { tries: number; after: number } => {
    let review: Review | null = firstReview({ id: 'pay_1', recordedAt: NOON });
    let [tries, last] = [0, review.dueAt];
    while (review) {
      tries += 1;
      last = review.dueAt;
      review = nextReview(review, paid, last, failure);
    }
    return { tries, after: last - NOON };
  };

  test.each([new OutcomeUnknown(), new Error()])('comes at most six times: %p', (failure) => {
    const { tries, after } = tryUntilEnd(failure);
    expect(tries).toBe(7);
    expect(after).toBeLessThanOrEqual(8 * DAY);
  });

  test.each([new ProviderUnavailable(), new ProviderBusy('Busy.', MINUTE), new ProviderBusy('Busy.', 5 * HOUR)])(
    'keeps the number of tries if the provider was not asked, and comes at most ten days after the payment: %p',
    (failure) => {
      const review = { dueAt: NOON + 6 * DAY, tries: 3 };
      const wait = failure instanceof ProviderBusy ? Math.max(HOUR, failure.waitMs) : HOUR;
      expect(nextReview(review, paid, review.dueAt, failure)).toEqual({ dueAt: review.dueAt + wait, tries: 3 });
      expect(nextReview(review, paid, NOON + 10 * DAY - wait, failure)?.dueAt).toBe(NOON + 10 * DAY);
      expect(nextReview(review, paid, NOON + 10 * DAY - wait + 1, failure)).toBeNull();
      const { tries, after } = tryUntilEnd(failure);
      expect(tries).toBeLessThanOrEqual(97);
      expect(after).toBeLessThanOrEqual(10 * DAY);
    },
  );
});
