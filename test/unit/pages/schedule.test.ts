import {
  describeTimeLeft,
  formatTimeLeft,
  isSoon,
  nextPoll,
  type Pace,
  reportAgainAfter,
} from '#shared/pages/checkout/client/schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MIDDLE = 0.5;

const pollDelay = (pace: Partial<Pace>): number | undefined => {
  const delay = nextPoll({ view: 'pay', sinceShown: 0, sinceSent: undefined, failures: 0, ...pace }, MIDDLE);
  return delay === undefined ? undefined : Math.round(delay);
};

test.each<[Partial<Pace>, number | undefined]>([
  [{}, 5 * SECOND],
  [{ sinceShown: 5 * MINUTE }, 10 * SECOND],
  [{ view: 'confirming', sinceSent: 0 }, 2 * SECOND],
  [{ view: 'confirming', sinceSent: 2 * MINUTE }, 5 * SECOND],
  [{ view: 'confirming', sinceSent: 10 * MINUTE }, 15 * SECOND],
  [{ view: 'checking' }, 5 * SECOND],
  [{ view: 'expired' }, 30 * SECOND],
  [{ view: 'closed_shop', sinceSent: 0 }, 30 * SECOND],
  [{ view: 'paid' }, 30 * SECOND],
  [{ view: 'expired', sinceShown: 30 * MINUTE - 1 }, 30 * SECOND],
  [{ view: 'expired', sinceShown: 30 * MINUTE }, undefined],
  [{ view: 'paid', sinceShown: 30 * MINUTE }, undefined],
  [{ failures: 1 }, 10 * SECOND],
  [{ failures: 3 }, 40 * SECOND],
  [{ failures: 4 }, MINUTE],
  [{ failures: 400 }, MINUTE],
  [{ view: 'failed', failures: 5 }, MINUTE],
])('the next poll with %p is in %p ms', (pace, delay) => expect(pollDelay(pace)).toBe(delay));

test('the twenty reports that a checkout allows last for about a quarter of an hour', () => {
  let [at, reports] = [0, 1];
  for (; reports < 20; reports++) at += reportAgainAfter(at);
  expect(at).toBeGreaterThanOrEqual(13 * MINUTE);
  expect(reportAgainAfter(0)).toBe(15 * SECOND);
});

test('the random draw moves the next poll by up to a tenth, so that many payment pages do not ask at the same moment', () => {
  const pace = { view: 'pay', sinceShown: 0, sinceSent: undefined, failures: 0 };
  expect([nextPoll(pace, 0), nextPoll(pace, 1)].map((delay) => Math.round(delay ?? 0))).toEqual([4_500, 5_500]);
});

test.each([
  [27 * MINUTE + 59 * SECOND, 'in 27 minutes'],
  [5 * MINUTE + 1, 'in 5 minutes'],
  [5 * MINUTE, 'in 5 min 0 s'],
  [4 * MINUTE + 59 * SECOND + 999, 'in 4 min 59 s'],
  [61 * SECOND, 'in 1 min 1 s'],
  [13 * SECOND, 'in 13 s'],
  [0, 'in 0 s'],
  [-SECOND, 'in 0 s'],
  [119 * MINUTE, 'in 119 minutes'],
  [24 * 60 * MINUTE - 1, 'in 23 hours'],
])('the countdown of %d ms reads “%s”', (left, words) => expect(formatTimeLeft(left)).toBe(words));

test('the remaining time stands out in the last five minutes', () => {
  expect([5 * MINUTE + 1, 5 * MINUTE, 0].map(isSoon)).toEqual([false, true, true]);
});

test('a screen reader announces five minutes and one minute, once each', () => {
  const announcements: string[] = [];
  for (let left = 12 * MINUTE; left > 0; left -= SECOND) {
    const words = describeTimeLeft(left + SECOND, left);
    if (words) announcements.push(words);
  }
  expect(announcements).toEqual(['5 minutes left.', '1 minute left.']);
  // A page that opens announces nothing; a page that was hidden for a while announces the present time.
  expect(describeTimeLeft(Number.POSITIVE_INFINITY, 3 * MINUTE)).toBeUndefined();
  expect(describeTimeLeft(11 * MINUTE, 3 * MINUTE)).toBe('3 minutes left.');
});
