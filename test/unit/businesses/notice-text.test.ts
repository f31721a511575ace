import { dailySummary, findSummaryDays, firstSummary, summaryAfter } from '#shared/businesses/domain/daily-summary.ts';
import { findMailChoice, type Member, member } from '#shared/businesses/domain/member.ts';
import { type About, isForOwner, type Notice, newNotice, notice } from '#shared/businesses/domain/notice.ts';
import { noticeText } from '#shared/businesses/domain/notice-text.ts';
import { deriveUserId } from '#shared/members/domain/user.ts';
import { DAY, HOUR } from '#shared/platform/kernel/time.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const BUSINESS = 'biz_01JD3N5Y8Z0000000000000000';
const EMAIL = 'chidi@ada-stores.example.com';
const SIGN_IN_URL = 'https://payments.example.com/dashboard';

const change = {
  id: 'log_01JD3N5Y8Z0000000000000000',
  businessId: BUSINESS,
  at: NOON,
  what: `made ${EMAIL} a member with the role viewer`,
  target: deriveUserId(EMAIL),
  userId: deriveUserId('ada@ada-stores.example.com'),
  email: 'ada@ada-stores.example.com',
  mode: 'live',
  needs: 'owner',
  usedPasskey: true,
  address: '102.89.23.17',
  action: 'POST /v1/members',
} as const;
const nothing = { count: 0, amount: 0, rejected: 0, reversed: 0 };
const landed = { count: 1, amount: 850_075, rejected: 0, reversed: 1_000 };
const endpoint = {
  kind: 'endpoint',
  endpointId: 'whe_01JD3N5Y8Z0000000000000000',
  host: 'shop.example.ng',
  answer: { statusCode: 503, error: null },
  at: NOON,
  since: NOON - HOUR,
  reason: null,
} as const;

const ABOUTS: Readonly<Record<string, About>> = {
  change: { kind: 'change', change },
  invitation: { kind: 'invitation', change, role: 'viewer' },
  passkey: {
    kind: 'passkey',
    action: 'added',
    email: EMAIL,
    name: 'Chrome on Mac',
    at: NOON,
    address: '102.89.23.17',
    liveFrom: NOON + DAY,
  },
  failing: { ...endpoint, news: 'failing' },
  suspended: { ...endpoint, news: 'suspended' },
  disabled: { ...endpoint, news: 'disabled', reason: 'It answered 410 Gone twice.' },
  recovered: { ...endpoint, news: 'recovered' },
  summary: { kind: 'summary', day: '2026-11-20', landed, before: nothing },
  'quiet day': { kind: 'summary', day: '2026-11-20', landed: nothing, before: landed },
};

const noticeOf = (about: About): Notice =>
  newNotice({ id: 'ntc_01JD3N5Y8Z0000000000000000', businessIds: [BUSINESS], userId: null, about }, NOON);
const mailOfKind = (about: About, isConcerned: boolean, signInUrl: string | null = SIGN_IN_URL) =>
  noticeText(noticeOf(about), { business: 'Ada Stores Limited', signInUrl, email: EMAIL, isConcerned });
const linksIn = (text: string): string[] => text.match(/\S+:\/\/\S+/g) ?? [];

test.each(Object.entries(ABOUTS))('a stored notice about %s can be read, and needs every field', (_, about) => {
  expectEveryFieldRequired(notice, noticeOf(about));
});

test('the only link in a mail leads to the sign-in, and security mails have none', () => {
  const links = Object.entries(ABOUTS).map(([kind, about]) => [kind, linksIn(mailOfKind(about, false).text)]);
  const only = [SIGN_IN_URL];
  expect(Object.fromEntries(links)).toEqual({
    change: [],
    invitation: [],
    passkey: [],
    failing: only,
    suspended: only,
    disabled: only,
    recovered: only,
    summary: only,
    'quiet day': only,
  });
  expect(linksIn(mailOfKind(ABOUTS.invitation as About, true).text)).toEqual(only);
});

test('no mail has a link if the dashboard’s address is not known, and an invitation says whom to ask', () => {
  for (const about of Object.values(ABOUTS)) {
    const { text } = mailOfKind(about, true, null);
    expect([linksIn(text), text.includes('null'), text.includes('Dashboard:')]).toEqual([[], false, false]);
  }
  const { text } = mailOfKind(ABOUTS.invitation as About, true, null);
  expect(text).toContain('Ask ada@ada-stores.example.com for the address of the dashboard.');
});

test('a summary has the money that landed and was sent back, and the money of the day before', () => {
  const summary = mailOfKind(ABOUTS.summary as About, false);
  expect(summary.subject).toBe('Ada Stores Limited: ₦8,500.75 landed on Friday, 20 November 2026');
  expect(summary.text).toContain('₦8,500.75 in 1 payment landed on Friday, 20 November 2026.');
  expect(summary.text).toContain('Sent back or taken back later: ₦10.00');
  const quiet = mailOfKind(ABOUTS['quiet day'] as About, false);
  expect(quiet.subject).toBe('Ada Stores Limited: nothing landed on Friday, 20 November 2026');
  expect(quiet.text).toContain('The day before: ₦8,500.75 in 1 payment');
});

test('an owner is mailed about endpoints by default, but gets no summary; nobody can switch off security mails', () => {
  const ada: Member = { userId: deriveUserId(EMAIL), email: EMAIL, role: 'owner', addedAt: NOON };
  const listKinds = (reader: Member) =>
    Object.entries(ABOUTS).flatMap(([kind, about]) => (isForOwner(noticeOf(about), reader) ? [kind] : []));
  const security = ['change', 'invitation', 'passkey'];
  const endpoints = ['failing', 'suspended', 'disabled', 'recovered'];
  expect(listKinds(ada)).toEqual([...security, ...endpoints]);
  expect(listKinds({ ...ada, mail: { summary: true, endpoints: false } })).toEqual([
    ...security,
    'summary',
    'quiet day',
  ]);
  expect(listKinds({ ...ada, role: 'developer', mail: { summary: true, endpoints: true } })).toEqual([]);
  expect(findMailChoice({ ...ada, role: 'viewer' })).toBeNull();
  expect(member.parse(ada)).toEqual(ada);
});

test('the summary of a day is due at seven the next morning in Lagos, and a day that is over three days ago gets none', () => {
  const midnight = Date.UTC(2026, 10, 20, 23);
  const first = firstSummary(BUSINESS, midnight - 1);
  expect(first).toEqual({ businessId: BUSINESS, day: '2026-11-20', dueAt: midnight + 7 * HOUR });
  expect(firstSummary(BUSINESS, midnight).day).toBe('2026-11-21');
  expectEveryFieldRequired(dailySummary, first);
  expect(summaryAfter(first, '2026-11-30')).toEqual({
    businessId: BUSINESS,
    day: '2026-12-01',
    dueAt: Date.UTC(2026, 11, 2, 6),
  });
  const { dueAt } = first;
  expect(findSummaryDays(first, dueAt)).toEqual({ day: '2026-11-20', before: '2026-11-19' });
  expect(findSummaryDays(first, dueAt + 2 * DAY).day).toBe('2026-11-20');
  expect(findSummaryDays(first, dueAt + 3 * DAY).day).toBe('2026-11-21');
});
