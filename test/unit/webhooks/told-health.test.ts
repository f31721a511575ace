import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { type Breaker, healthyBreaker, type Open } from '#shared/webhooks/domain/breaker.ts';
import { nextBreaker } from '#shared/webhooks/domain/breaker-transitions.ts';
import { endpointNews, type NotifiedHealth, notifiedHealth, withNews } from '#shared/webhooks/domain/told-health.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const ENDPOINT = 'whe_01JD3N5Y8Z0000000000000000';
const EVENT = 'evt_01JD3N5Y8Z0000000000000000';
const healthy = healthyBreaker({ endpointId: ENDPOINT, mode: 'live' });
const attempt = {
  businessId: 'biz_01JD3N5Y8Z0000000000000000',
  host: 'shop.example.ng',
  answer: { statusCode: 503, error: null },
};
const outage = { since: NOON, failures: 1, rejections: 0, lastEventId: EVENT, lastAt: NOON, goneSince: null };
const failing: Breaker = { ...healthy, outage };
const open: Open = {
  ...healthy,
  state: 'open',
  outage,
  canary: EVENT,
  probes: 1,
  lastReleasedId: null,
  emptyPolls: 0,
  dueAt: NOON,
};
const told = (changes: Partial<NotifiedHealth>): NotifiedHealth => ({
  ...attempt,
  suspended: false,
  failing: false,
  at: null,
  since: null,
  ...changes,
});

/** Returns the kind of mail that is due at `now`, and the notified health that is stored afterwards. */
const readMail = (breaker: Breaker, now: number, latest: typeof attempt | undefined = attempt) => {
  const { breaker: after, news } = withNews(breaker, now, latest);
  return [
    news?.news,
    after.told && { suspended: after.told.suspended, failing: after.told.failing, at: after.told.at },
  ];
};

test.each(['failing', 'suspended', 'disabled', 'recovered'])(
  'a mail about a %s endpoint needs all its fields',
  (kind) => {
    const { host, answer } = attempt;
    const news = { news: kind, endpointId: ENDPOINT, host, answer, at: NOON, since: null, reason: null };
    expectEveryFieldRequired(endpointNews, news);
    for (const wrong of [{ news: '' }, { endpointId: 'evt_01JD3N5Y8Z0000000000000000' }]) {
      expect(endpointNews.safeParse({ ...news, ...wrong }).success).toBe(false);
    }
  },
);

test('the notified health of an endpoint needs all its fields, and names a business', () => {
  expectEveryFieldRequired(notifiedHealth, told({}));
  expect(notifiedHealth.safeParse(told({ businessId: ENDPOINT })).success).toBe(false);
});

test('owners are mailed at once about a suspended endpoint, but not about a failure of less than an hour', () => {
  expect(readMail(open, NOON)).toEqual(['suspended', { suspended: true, failing: false, at: NOON }]);
  expect(readMail(failing, NOON + HOUR - 1)).toEqual([undefined, null]);
  expect(readMail(healthy, NOON + HOUR)).toEqual([undefined, null]);
});

test('owners are mailed once about a failure of an hour, with its last answer and its start', () => {
  expect(withNews({ ...failing, told: null }, NOON + HOUR, attempt).news).toEqual({
    ...attempt,
    news: 'failing',
    endpointId: ENDPOINT,
    at: NOON + HOUR,
    since: NOON,
    reason: null,
  });
  expect(readMail({ ...open, told: told({ suspended: true, at: NOON }) }, NOON + HOUR)).toEqual([
    'failing',
    { suspended: true, failing: true, at: NOON + HOUR },
  ]);
  // If owners do not know yet that the endpoint is suspended, the mail about the failure stands for both facts.
  expect(readMail(open, NOON + HOUR)).toEqual(['failing', { suspended: true, failing: true, at: NOON + HOUR }]);
  const both = told({ suspended: true, failing: true, at: NOON + HOUR });
  expect(readMail({ ...open, told: both }, NOON + 9 * HOUR)[0]).toBeUndefined();
});

test('owners are mailed about a recovery if they know the failure and the breaker is closed without an outage', () => {
  const known = told({ suspended: true, at: NOON });
  expect(readMail({ ...healthy, told: known }, NOON + MINUTE, undefined)).toEqual([
    'recovered',
    { suspended: false, failing: false, at: NOON + MINUTE },
  ]);
  expect(readMail({ ...healthy, told: told({ failing: true, at: NOON }) }, NOON + MINUTE)[0]).toBe('recovered');
  expect(readMail({ ...failing, told: known }, NOON + MINUTE)[0]).toBeUndefined();
  expect(readMail({ ...healthy, told: told({ at: NOON }) }, NOON + MINUTE)[0]).toBeUndefined();
});

test('owners are mailed about another failure no earlier than four hours after the last mail', () => {
  const again = { ...open, outage: { ...outage, since: NOON + 4 * HOUR - MINUTE }, told: told({ at: NOON }) };
  expect(readMail(again, NOON + 4 * HOUR - 1)[0]).toBeUndefined();
  expect(readMail(again, NOON + 4 * HOUR)[0]).toBe('suspended');
  const longer = { ...failing, outage: { ...outage, since: NOON + HOUR }, told: told({ at: NOON }) };
  expect(readMail(longer, NOON + 4 * HOUR - 1)[0]).toBeUndefined();
  expect(readMail(longer, NOON + 4 * HOUR)[0]).toBe('failing');
});

/** Counts the mails that owners get in a day about an endpoint whose state `next` chooses every five minutes. */
const countDailyMails = (next: (n: number) => 'well' | 'fails' | 'suspended'): number => {
  let mails = 0;
  let told: NotifiedHealth | null = null;
  let since: number | null = null;
  for (let n = 0; n < 24 * 12; n += 1) {
    const now = NOON + n * 5 * MINUTE;
    const state = next(n);
    since = state === 'well' ? null : (since ?? now);
    const seen = { ...outage, since: since ?? now };
    const breaker: Breaker =
      state === 'well' ? { ...healthy, told } : { ...(state === 'fails' ? failing : open), outage: seen, told };
    const accepted = { ...attempt, answer: { statusCode: 200, error: null } };
    const seenAt: ReturnType<typeof withNews<Breaker>> = withNews(breaker, now, state === 'well' ? accepted : attempt);
    told = seenAt.breaker.told;
    if (seenAt.news) mails += 1;
  }
  return mails;
};

test('owners get twelve mails a day about an endpoint that fails every other time, and at most eighteen in any pattern', () => {
  expect(countDailyMails((n) => (n % 2 === 0 ? 'suspended' : 'well'))).toBe(12);
  // Here each outage lasts for 65 minutes and causes three mails: suspended, failing for an hour, recovered.
  expect(countDailyMails((n) => (n % 50 > 36 ? 'suspended' : 'well'))).toBeGreaterThan(12);
  // The other patterns come from a fixed sequence of numbers.
  let drawn = 42;
  const draw = (): number => {
    drawn = (drawn * 1_103_515_245 + 12_345) % 2_147_483_648;
    return drawn / 2_147_483_648;
  };
  for (let round = 0; round < 500; round += 1) {
    const [wellFor, failsFor] = [1 + Math.floor(draw() * 60), 1 + Math.floor(draw() * 30)];
    const mails = countDailyMails((n) => (n % (wellFor + failsFor) < failsFor ? 'suspended' : 'well'));
    expect(mails).toBeLessThanOrEqual(18);
    expect(
      countDailyMails(() => (['well', 'fails', 'suspended'] as const)[Math.floor(draw() * 3)] ?? 'well'),
    ).toBeLessThanOrEqual(18);
  }
});

test('the notified health gets the newest answer and host even if no mail is due', () => {
  const before = { ...open, told: told({ suspended: true, at: NOON }) };
  const answer = { statusCode: null, error: 'The request failed (ECONNREFUSED).' };
  const { breaker } = withNews(before, NOON + MINUTE, { ...attempt, host: 'other.example.ng', answer });
  expect(breaker.told).toMatchObject({ answer, host: 'other.example.ng', suspended: true });
  expect(withNews(before, NOON + MINUTE).breaker.told).toEqual(before.told);
});

test('another URL and switching the endpoint on reset the notified health; a success and a recovery do not', () => {
  const known = told({ suspended: true, at: NOON });
  const after = (before: Breaker, event: Parameters<typeof nextBreaker>[1]) => nextBreaker(before, event)?.told;
  const breakers: Breaker[] = [
    { ...failing, told: known, version: 1 },
    { ...open, told: known, version: 1 },
  ];
  for (const before of breakers) {
    expect(after(before, { kind: 'url_changed', now: NOON })).toBeNull();
    expect(after(before, { kind: 'endpoint_enabled', from: NOON })).toBeNull();
    expect(after(before, { kind: 'recovery_requested', from: NOON })).toEqual(known);
    const success = { eventId: EVENT, endedAt: NOON, durationMs: 1, statusCode: 200, isRetry: true };
    expect(after(before, { kind: 'attempt_succeeded', attempt: success })).toEqual(known);
  }
});

test.each([
  [200, null],
  [299, null],
  [199, NOON - MINUTE],
  [300, NOON - MINUTE],
  [null, NOON - MINUTE],
])(
  'only an accepted webhook resets the start of the notified failure: the answer %p leaves %p',
  (statusCode, since) => {
    const before = told({ at: NOON, since: NOON - MINUTE });
    const answer = { statusCode, error: null };
    const { breaker } = withNews({ ...failing, told: before }, NOON + 1, { ...attempt, answer });
    expect(breaker.told).toEqual({ ...before, answer, since });
  },
);

test('a change without an attempt does not change or create the notified health', () => {
  const before = told({ at: NOON, since: NOON - MINUTE });
  expect(withNews({ ...failing, told: before }, NOON + 1).breaker.told).toEqual(before);
  const untold = { ...open, told: null };
  expect(withNews(untold, NOON + HOUR)).toEqual({ breaker: untold });
});

test('owners are mailed about a recovery only if the breaker is closed and the outage is over', () => {
  const heard = told({ failing: true, suspended: true, at: NOON });
  expect(withNews({ ...healthy, told: heard }, NOON + 1, attempt).news?.news).toBe('recovered');
  expect(withNews({ ...failing, told: heard }, NOON + 1, attempt).news).toBeUndefined();
  expect(withNews({ ...open, outage: null, told: heard }, NOON + 1, attempt).news).toBeUndefined();
});

test('the mail about a failure of an hour keeps the notified health suspended if owners were mailed about the suspension', () => {
  const heard = told({ suspended: true, at: NOON });
  expect(readMail({ ...failing, told: heard }, NOON + HOUR)).toEqual([
    'failing',
    { suspended: true, failing: true, at: NOON + HOUR },
  ]);
  expect(readMail({ ...failing, told: told({}) }, NOON + HOUR)[1]).toMatchObject({ suspended: false, failing: true });
});
