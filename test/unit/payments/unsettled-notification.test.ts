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

const NEW_NOTIFICATION = newNotification(
  { provider: 'monnify', hash: 'ab'.repeat(32), raw: 'e30=', query: null },
  NOON,
);
const FAILED_TRY = { why: 'provider_knows_nothing', problem: null, wasAsked: true } as const;
const SETTLED_TRY = { why: null, problem: null, wasAsked: true } as const;

describe('a notification', () => {
  test('falls due in a minute, and is not on the operators’ list', () => {
    expect(NEW_NOTIFICATION).toMatchObject({
      receivedAt: NOON,
      tries: 0,
      dueAt: NOON + MINUTE,
      why: null,
      stuckSince: null,
    });
  });

  test('leaves the operators’ list and is not tried again when it is settled or dismissed', () => {
    const stuck = { ...NEW_NOTIFICATION, tries: 9, why: 'not_recorded' as const, stuckSince: NOON };
    expect(afterTry(stuck, SETTLED_TRY, NOON + HOUR)).toEqual({ ...stuck, dueAt: null, why: null, stuckSince: null });
    expect(dismiss(stuck)).toEqual({ ...stuck, dueAt: null, why: null, stuckSince: null });
  });

  test('becomes stuck with the first try that fails 40 minutes after it came, and keeps that time', () => {
    const early = afterTry(NEW_NOTIFICATION, FAILED_TRY, NOON + 40 * MINUTE - 1);
    expect(early).toMatchObject({ tries: 1, why: 'provider_knows_nothing', stuckSince: null });
    const stuck = afterTry(early, FAILED_TRY, NOON + 40 * MINUTE);
    expect(stuck).toMatchObject({ tries: 2, stuckSince: NOON + 40 * MINUTE, dueAt: NOON + 42 * MINUTE });
    expect(afterTry(stuck, FAILED_TRY, NOON + 50 * MINUTE)).toMatchObject({ tries: 3, stuckSince: NOON + 40 * MINUTE });
  });

  test('counts no try if the provider was not asked, and is tried again in a minute', () => {
    const busy = afterTry(NEW_NOTIFICATION, { ...FAILED_TRY, why: 'provider_busy', wasAsked: false }, NOON);
    expect(busy).toMatchObject({ tries: 0, dueAt: NOON + MINUTE, stuckSince: null });
  });

  test('becomes stuck at once if it cannot be read, and is tried again', () => {
    const after = afterTry(NEW_NOTIFICATION, { ...SETTLED_TRY, problem: 'unreadable' }, NOON);
    expect(after).toMatchObject({ why: 'notification_unreadable', tries: 1, dueAt: NOON + MINUTE, stuckSince: NOON });
    expect(afterTry(NEW_NOTIFICATION, { ...FAILED_TRY, problem: 'unreadable' }, NOON)).toMatchObject({
      why: FAILED_TRY.why,
      stuckSince: NOON,
    });
  });

  test('becomes stuck at once if its refund needs attention, and is not tried again when all else is settled', () => {
    const attention = { ...SETTLED_TRY, problem: 'refund_needs_attention' } as const;
    const after = afterTry(NEW_NOTIFICATION, attention, NOON);
    expect(after).toMatchObject({ why: 'refund_needs_attention', tries: 0, dueAt: null, stuckSince: NOON });
    expect(afterTry(after, attention, NOON + HOUR)).toMatchObject({ stuckSince: NOON });
    expect(afterTry(NEW_NOTIFICATION, { ...attention, why: 'not_recorded' }, NOON)).toMatchObject({
      dueAt: NOON + MINUTE,
    });
  });

  test('gets tried daily if it is not settled after 72 hours, while it is stuck', () => {
    const late = afterTry({ ...NEW_NOTIFICATION, receivedAt: NOON - 72 * HOUR }, FAILED_TRY, NOON);
    expect(late).toMatchObject({ dueAt: NOON + DAY, why: FAILED_TRY.why, stuckSince: NOON });
    expect(afterTry(late, FAILED_TRY, NOON + 30 * DAY)).toMatchObject({ dueAt: NOON + 31 * DAY, stuckSince: NOON });
    expect(afterTry(late, SETTLED_TRY, NOON + DAY)).toMatchObject({ dueAt: null, stuckSince: null });
  });

  test('loses an unknown reason of a newer release when it is read', () => {
    expect(notification.parse({ ...NEW_NOTIFICATION, why: 'sanctioned' })).toEqual(NEW_NOTIFICATION);
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
