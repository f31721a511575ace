import * as z from 'zod/mini';
import {
  FIRST_LOOK_UP,
  NOTIFICATION_RETENTION,
  type Notification,
  nextLookUp,
  notification,
} from '#shared/payments/domain/notification.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { NOON } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const received: Notification = {
  provider: 'paystack',
  hash: '0123456789abcdef'.repeat(4),
  raw: 'e30=',
  query: null,
  receivedAt: NOON,
  tries: 0,
  dueAt: NOON + MINUTE,
  why: null,
  stuckSince: null,
};
/** The fields of every stored notification. A later release added the other two. */
const { why: _why, stuckSince: _stuckSince, ...requiredFields } = received;

describe('a notification', () => {
  test.each<[string, Partial<Notification>]>([
    ['as received', {}],
    ['settled', { dueAt: null, tries: 3 }],
    ['an entry of reconciliation', { raw: '', query: { by: 'transaction', value: '4099260516' } }],
    ['about a reference of ours', { query: { by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' } }],
  ])('can be stored and read back: %s', (_, changes) => {
    expect(notification.parse({ ...received, ...changes })).toEqual({ ...received, ...changes });
    const schema = z.omit(notification, { why: true, stuckSince: true });
    expectEveryFieldRequired(schema, { ...requiredFields, ...changes });
  });

  test.each<[string, object]>([
    ['the hash of another algorithm', { hash: '0123456789abcdef'.repeat(2) }],
    ['a longer hash', { hash: `${received.hash}0` }],
    ['a space before its hash', { hash: ` ${received.hash}` }],
    ['a hash in capitals', { hash: received.hash.toUpperCase() }],
    ['a query of another kind', { query: { by: 'session', value: '1' } }],
    ['an empty query', { query: { by: 'transaction', value: '' } }],
    ['half a try', { tries: 0.5 }],
  ])('cannot be stored with %s', (_, wrong) => {
    expect(notification.safeParse({ ...received, ...wrong }).success).toBe(false);
  });

  test('has its first look-up after a minute, and is kept for 30 days', () => {
    expect(FIRST_LOOK_UP).toBe(MINUTE);
    expect(NOTIFICATION_RETENTION).toBe(30 * DAY);
  });
});

describe('the next look-up of a notification', () => {
  test.each([
    [1, MINUTE],
    [2, 2 * MINUTE],
    [3, 5 * MINUTE],
    [4, 10 * MINUTE],
    [5, 10 * MINUTE],
    [400, 10 * MINUTE],
  ])('comes after failed look-up %i in %i ms', (tries, gap) => {
    const now = NOON + HOUR;
    expect(nextLookUp(received, tries, now)).toBe(now + gap);
  });

  test('comes daily from 72 h after the notification', () => {
    const last = NOON + 72 * HOUR;
    expect(nextLookUp(received, 9, last - 10 * MINUTE)).toBe(last);
    expect(nextLookUp(received, 9, last - 10 * MINUTE + 1)).toBe(last - 10 * MINUTE + 1 + DAY);
    expect(nextLookUp(received, 400, last + 9 * DAY)).toBe(last + 10 * DAY);
  });
});

test.each([
  ...['notification_unreadable', 'refund_needs_attention', 'refund_without_id', 'provider_knows_nothing'],
  ...['no_usable_answer', 'provider_unavailable', 'provider_busy', 'provider_refused'],
  ...['answer_outdated', 'record_unreadable', 'not_recorded'],
])('a notification that is not settled is stored with the reason %s', (why) => {
  expect(notification.parse({ ...received, why })).toEqual({ ...received, why });
});
