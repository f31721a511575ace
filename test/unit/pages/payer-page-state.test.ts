import { isReportDue } from '#shared/pages/checkout/client/schedule.ts';
import {
  type Answer,
  countFailure,
  readState,
  type State,
  takeAnswer,
  timeAt,
} from '#shared/pages/checkout/client/state.ts';

/** The page's own clock, which has another zero than the server's. */
const CAME_UP = 400;
const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

const DATA = {
  view: 'pay',
  status: 'pending',
  version: '3',
  content: '3.pay.offered',
  now: String(NOW),
  expires: String(NOW + 30 * MINUTE),
};
const begun: State = readState(DATA, CAME_UP);
const answered = (changes: Partial<Answer> = {}): Answer => ({
  view: 'confirming',
  status: 'pending',
  version: 3,
  content: '3.confirming',
  now: NOW + MINUTE,
  expires: NOW + 30 * MINUTE,
  title: 'Pay Ada Stores',
  html: '<h1>Looking for your transfer</h1>',
  ...changes,
});

test('a page that comes up knows what the server wrote into it', () => {
  expect(begun).toMatchObject({
    checkout: {
      view: 'pay',
      status: 'pending',
      version: 3,
      now: NOW,
      expires: NOW + 30 * MINUTE,
      content: '3.pay.offered',
    },
    etag: '',
    shownAt: NOW,
    sentAt: undefined,
  });
  expect(readState({ ...DATA, sent: String(NOW - MINUTE) }, CAME_UP).sentAt).toBe(NOW - MINUTE);
});

test('a page that comes up paid leads nowhere by itself, and any other may once it is paid', () => {
  expect(begun.leadsBack).toBe(true);
  expect(readState({ ...DATA, view: 'paid', status: 'paid' }, CAME_UP).leadsBack).toBe(false);
});

test('the time is the server’s, counted with the page’s own clock, and set anew by each answer', () => {
  expect(timeAt(begun, CAME_UP + 5_000)).toBe(NOW + 5_000);
  // The page's clock stood still while the phone slept.
  const woken = takeAnswer(begun, answered({ now: NOW + 20 * MINUTE }), '"3.pay.1"', CAME_UP + 6_000);
  expect(timeAt(woken, CAME_UP + 6_000)).toBe(NOW + 20 * MINUTE);
});

test('an answer replaces what the page knows of the checkout, and nothing else', () => {
  const waiting: State = { ...begun, sentAt: NOW, reportedAt: NOW, leadsBack: false, drawnLeft: MINUTE };
  const next = takeAnswer(waiting, answered(), '"3.confirming.29"', CAME_UP + MINUTE);
  expect(next).toEqual({
    ...waiting,
    checkout: answered(),
    heardAt: CAME_UP + MINUTE,
    // It is another view, and shown from now on.
    shownAt: NOW + MINUTE,
    etag: '"3.confirming.29"',
  });
  const same = takeAnswer(next, answered({ now: NOW + 2 * MINUTE }), '"3.confirming.28"', CAME_UP + 2 * MINUTE);
  expect(same.shownAt).toBe(NOW + MINUTE);
});

test('an answer that is older than what is shown changes neither the checkout nor the clock', () => {
  const late = takeAnswer(begun, answered({ version: 2, now: NOW - MINUTE }), '"2.confirming.29"', CAME_UP + MINUTE);
  expect(late).toEqual({ ...begun, etag: '"2.confirming.29"' });
  // The page compares by identity whether the answer was taken.
  expect(late.checkout).toBe(begun.checkout);
});

test('failures are counted in a row, and nothing else changes', () => {
  expect(countFailure(countFailure(begun))).toEqual({ ...begun, failures: 2, unreached: 2 });
});

test.each([
  [14_999, 0, false],
  [15_000, 0, true],
  [15_000, 2 * MINUTE, false],
  [MINUTE, 2 * MINUTE, true],
])('%p ms after the last report and %p ms after the first, another one is due: %p', (sinceReported, sinceSent, isDue) =>
  expect(isReportDue(sinceReported, sinceSent)).toBe(isDue),
);
