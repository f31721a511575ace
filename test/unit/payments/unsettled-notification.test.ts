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
  test('falls due in a minute, and is not on the operators’ list', () => {
    expect(fresh).toMatchObject({ receivedAt: NOON, tries: 0, dueAt: NOON + MINUTE, why: null, stuckSince: null });
  });

  test('leaves the operators’ list and is not tried again when it is settled or dismissed', () => {
    const stuck = { ...fresh, tries: 9, why: 'not_recorded' as const, stuckSince: NOON };
    expect(afterTry(stuck, done, NOON + HOUR)).toEqual({ ...stuck, dueAt: null, why: null, stuckSince: null });
    expect(dismiss(stuck)).toEqual({ ...stuck, dueAt: null, why: null, stuckSince: null });
  });

  test('becomes stuck with the first try that fails 40 minutes after it came, and keeps that time', () => {
    const early = afterTry(fresh, failed, NOON + 40 * MINUTE - 1);
    expect(early).toMatchObject({ tries: 1, why: 'provider_knows_nothing', stuckSince: null });
    const stuck = afterTry(early, failed, NOON + 40 * MINUTE);
    expect(stuck).toMatchObject({ tries: 2, stuckSince: NOON + 40 * MINUTE, dueAt: NOON + 42 * MINUTE });
    expect(afterTry(stuck, failed, NOON + 50 * MINUTE)).toMatchObject({ tries: 3, stuckSince: NOON + 40 * MINUTE });
  });

  test('counts no try if the provider was not asked, and is tried again in a minute', () => {
    const busy = afterTry(fresh, { ...failed, why: 'provider_busy', wasAsked: false }, NOON);
    expect(busy).toMatchObject({ tries: 0, dueAt: NOON + MINUTE, stuckSince: null });
  });

  test('becomes stuck at once if it cannot be read, and is tried again', () => {
    const after = afterTry(fresh, { ...done, problem: 'unreadable' }, NOON);
    expect(after).toMatchObject({ why: 'notification_unreadable', tries: 1, dueAt: NOON + MINUTE, stuckSince: NOON });
    expect(afterTry(fresh, { ...failed, problem: 'unreadable' }, NOON)).toMatchObject({
      why: failed.why,
      stuckSince: NOON,
    });
  });

  test('becomes stuck at once if its refund needs attention, and is not tried again when all else is settled', () => {
    const attention = { ...done, problem: 'refund_needs_attention' } as const;
    const after = afterTry(fresh, attention, NOON);
    expect(after).toMatchObject({ why: 'refund_needs_attention', tries: 0, dueAt: null, stuckSince: NOON });
    expect(afterTry(after, attention, NOON + HOUR)).toMatchObject({ stuckSince: NOON });
    expect(afterTry(fresh, { ...attention, why: 'not_recorded' }, NOON)).toMatchObject({ dueAt: NOON + MINUTE });
  });

  test('gets tried daily if it is not settled after 72 hours, while it is stuck', () => {
    const late = afterTry({ ...fresh, receivedAt: NOON - 72 * HOUR }, failed, NOON);
    expect(late).toMatchObject({ dueAt: NOON + DAY, why: failed.why, stuckSince: NOON });
    expect(afterTry(late, failed, NOON + 30 * DAY)).toMatchObject({ dueAt: NOON + 31 * DAY, stuckSince: NOON });
    expect(afterTry(late, done, NOON + DAY)).toMatchObject({ dueAt: null, stuckSince: null });
  });

  test('loses an unknown reason of a newer release when it is read', () => {
    expect(notification.parse({ ...fresh, why: 'sanctioned' })).toEqual(fresh);
  });

  test.each([
    [new OutcomeUnknown('It hangs.'), 'no_usable_answer'],
    [new ProviderUnavailable('It is down.'), 'provider_unavailable'],
    [new ProviderBusy('It is busy.', 1_000), 'provider_busy'],
    [new ProviderError('No.'), 'provider_refused'],
    [new UnreadableItem('CHK'), 'record_unreadable'],
    [new Error('chidi.eze@example.com'), 'not_recorded'],
  ])('maps %s to a reason of a closed set', (error, reason) => {
    expect(toUnsettledReason(error)).toBe(reason);
  });
});
