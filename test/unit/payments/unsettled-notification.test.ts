import {
  afterTry,
  dismiss,
  newNotification,
  notification,
  toUnsettledReason,
} from '#shared/payments/domain/notification.ts';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { OutcomeUnknown, ProviderBusy, ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { NOON } from '#test/unit/api/examples.ts';

const fresh = newNotification({ provider: 'monnify', hash: 'ab'.repeat(32), raw: 'e30=', query: null }, NOON);
const failed = { why: 'provider_knows_nothing', problem: null, wasAsked: true } as const;
const done = { why: null, problem: null, wasAsked: true } as const;

describe('a notification', () => {
  test('is due in a minute, and nobody needs to see it', () => {
    expect(fresh).toMatchObject({ receivedAt: NOON, tries: 0, dueAt: NOON + MINUTE, why: null, stuckSince: null });
  });

  test('that is settled is at rest, also after it was stuck', () => {
    const stuck = { ...fresh, tries: 9, why: 'not_recorded' as const, stuckSince: NOON };
    expect(afterTry(stuck, done, NOON + HOUR)).toEqual({ ...stuck, dueAt: null, why: null, stuckSince: null });
    expect(dismiss(stuck)).toEqual({ ...stuck, dueAt: null, why: null, stuckSince: null });
  });

  test('is stuck from the first try that fails 40 minutes after it came, and since then', () => {
    const early = afterTry(fresh, failed, NOON + 40 * MINUTE - 1);
    expect(early).toMatchObject({ tries: 1, why: 'provider_knows_nothing', stuckSince: null });
    const stuck = afterTry(early, failed, NOON + 40 * MINUTE);
    expect(stuck).toMatchObject({ tries: 2, stuckSince: NOON + 40 * MINUTE, dueAt: NOON + 42 * MINUTE });
    expect(afterTry(stuck, failed, NOON + 50 * MINUTE)).toMatchObject({ tries: 3, stuckSince: NOON + 40 * MINUTE });
  });

  test('counts no try at a provider that was not asked, and is tried again in a minute', () => {
    const busy = afterTry(fresh, { ...failed, why: 'provider_busy', wasAsked: false }, NOON);
    expect(busy).toMatchObject({ tries: 0, dueAt: NOON + MINUTE, stuckSince: null });
  });

  test('that cannot be read is stuck at once, and is tried again', () => {
    const after = afterTry(fresh, { ...done, problem: 'unreadable' }, NOON);
    expect(after).toMatchObject({ why: 'notification_unreadable', tries: 1, dueAt: NOON + MINUTE, stuckSince: NOON });
    expect(afterTry(fresh, { ...failed, problem: 'unreadable' }, NOON)).toMatchObject({
      why: failed.why,
      stuckSince: NOON,
    });
  });

  test('of a refund that needs attention is stuck at once, and is not tried again once the rest is settled', () => {
    const attention = { ...done, problem: 'refund_needs_attention' } as const;
    const after = afterTry(fresh, attention, NOON);
    expect(after).toMatchObject({ why: 'refund_needs_attention', tries: 0, dueAt: null, stuckSince: NOON });
    expect(afterTry(after, attention, NOON + HOUR)).toMatchObject({ stuckSince: NOON });
    expect(afterTry(fresh, { ...attention, why: 'not_recorded' }, NOON)).toMatchObject({ dueAt: NOON + MINUTE });
  });

  test('that is not settled for 72 hours is tried daily, for as long as it is stuck', () => {
    const late = afterTry({ ...fresh, receivedAt: NOON - 72 * HOUR }, failed, NOON);
    expect(late).toMatchObject({ dueAt: NOON + DAY, why: failed.why, stuckSince: NOON });
    expect(afterTry(late, failed, NOON + 30 * DAY)).toMatchObject({ dueAt: NOON + 31 * DAY, stuckSince: NOON });
    expect(afterTry(late, done, NOON + DAY)).toMatchObject({ dueAt: null, stuckSince: null });
  });

  test('of a newer release is read without a reason that is not known', () => {
    expect(notification.parse({ ...fresh, why: 'sanctioned' })).toEqual(fresh);
  });

  test.each([
    [new OutcomeUnknown('It hangs.'), 'no_usable_answer'],
    [new ProviderUnavailable('It is down.'), 'provider_unavailable'],
    [new ProviderBusy('It is busy.', 1_000), 'provider_busy'],
    [new ProviderError('No.'), 'provider_refused'],
    [new UnreadableItem('CHK'), 'record_unreadable'],
    [new Error('chidi.eze@example.com'), 'not_recorded'],
  ])('has a reason of a closed set for %s', (error, reason) => {
    expect(toUnsettledReason(error)).toBe(reason);
  });
});
