import { isReportDue } from '#shared/pages/checkout/client/schedule.ts';
import {
  type Answer,
  countFailure,
  readState,
  type State,
  takeAnswer,
  timeAt,
} from '#shared/pages/checkout/client/state.ts';

/** The time of the page's own clock when the page opens. Its zero differs from that of the server's clock. */
const OPENED_AT = 400;
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
const opened: State = readState(DATA, OPENED_AT);
const makeAnswer = (changes: Partial<Answer> = {}): Answer => ({
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

test('a page that opens reads the state that the server wrote into it', () => {
  expect(opened).toMatchObject({
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
  expect(readState({ ...DATA, sent: String(NOW - MINUTE) }, OPENED_AT).sentAt).toBe(NOW - MINUTE);
});

test('a page that is paid when it opens never returns to the shop by itself, but a page that becomes paid may', () => {
  expect(opened.returnsToShop).toBe(true);
  expect(readState({ ...DATA, view: 'paid', status: 'paid' }, OPENED_AT).returnsToShop).toBe(false);
});

test('each answer sets the server’s time, and the page’s own clock counts on from it', () => {
  expect(timeAt(opened, OPENED_AT + 5_000)).toBe(NOW + 5_000);
  // The page's clock stood still while the phone slept.
  const woken = takeAnswer(opened, makeAnswer({ now: NOW + 20 * MINUTE }), '"3.pay.1"', OPENED_AT + 6_000);
  expect(timeAt(woken, OPENED_AT + 6_000)).toBe(NOW + 20 * MINUTE);
});

test('an answer replaces the checkout in the page’s state, and nothing else', () => {
  const waiting: State = { ...opened, sentAt: NOW, reportedAt: NOW, returnsToShop: false, drawnTimeLeft: MINUTE };
  const next = takeAnswer(waiting, makeAnswer(), '"3.confirming.29"', OPENED_AT + MINUTE);
  expect(next).toEqual({
    ...waiting,
    checkout: makeAnswer(),
    receivedAt: OPENED_AT + MINUTE,
    // The view changed, so it is shown from now on.
    shownAt: NOW + MINUTE,
    etag: '"3.confirming.29"',
  });
  const same = takeAnswer(next, makeAnswer({ now: NOW + 2 * MINUTE }), '"3.confirming.28"', OPENED_AT + 2 * MINUTE);
  expect(same.shownAt).toBe(NOW + MINUTE);
});

test('an answer with an older version changes neither the checkout nor the clock', () => {
  const late = takeAnswer(
    opened,
    makeAnswer({ version: 2, now: NOW - MINUTE }),
    '"2.confirming.29"',
    OPENED_AT + MINUTE,
  );
  expect(late).toEqual({ ...opened, etag: '"2.confirming.29"' });
  // The page finds out by identity whether the answer was accepted.
  expect(late.checkout).toBe(opened.checkout);
});

test('a failure increases the counts of failures, and changes nothing else', () => {
  expect(countFailure(countFailure(opened))).toEqual({ ...opened, failures: 2, unreached: 2 });
});

test.each([
  [14_999, 0, false],
  [15_000, 0, true],
  [15_000, 2 * MINUTE, false],
  [MINUTE, 2 * MINUTE, true],
])('a report is due %p ms after the last one and %p ms after the first one: %p', (sinceReported, sinceSent, isDue) =>
  expect(isReportDue(sinceReported, sinceSent)).toBe(isDue),
);
