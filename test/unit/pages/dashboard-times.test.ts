import { cursorTo } from '#shared/api/list-cursor.ts';
import { inCheckouts, merchantReferenceKey } from '#shared/checkouts/store/keys.ts';
import { memberChangeKey } from '#shared/members/store/keys.ts';
import { lagosHour, readCursorTime, timeOfId } from '#shared/pages/dashboard/client/parts/times.ts';
import { positionOfPayment } from '#shared/payments/store/keys.ts';
import { inEvents } from '#shared/webhooks/store/keys.ts';

const AT = Date.parse('2026-11-03T13:05:00.123Z');
const ULID = '01K95MHQPV0QY6T4M9D2SXZ8RE';
const TENANT = { businessId: `biz_${ULID}`, mode: 'test' } as const;

describe('the times that the dashboard reads out of ids and cursors', () => {
  const backTo = (position: string) => readCursorTime(cursorTo('a key', TENANT, 'a list', position) ?? '');

  test('the hour in which a key was used ends where the next begins, on the day of Lagos', () => {
    expect(lagosHour('2026-11-27T23:00:00.000Z')).toBe('00:00 and 01:00 on 28 Nov 2026');
  });

  test('an id has the time of its ULID', () => {
    expect(new Date(timeOfId('pay_01ARYZ6S41TSV4RRFFQ69G5FAV')).toISOString()).toBe('2016-07-30T22:36:16.385Z');
  });

  test.each([
    ['payments', positionOfPayment(AT, `pay_${ULID}`)],
    ['checkouts', inCheckouts(TENANT, AT, 'PAY-7Q2M9XK4T1B8V6N3C5ZD').gsi1sk],
    ['events', inEvents(TENANT, AT, `evt_${ULID}`).gsi1sk],
  ])('the cursor of a list of %s says how far back it was looked through', (_, position) => {
    expect(backTo(position)).toBe('2026-11-03T13:05:00.123Z');
  });

  test('so do those of the audit log and of what waits for an endpoint', () => {
    const of = new Date(timeOfId(`log_${ULID}`)).toISOString();
    expect(backTo(memberChangeKey(TENANT.businessId, `log_${ULID}`).sk)).toBe(of);
    expect(backTo(`evt_${ULID}`)).toBe(of);
  });

  test('one of a list that is not in the order of time says nothing', () => {
    expect(backTo(`LABEL#server#${positionOfPayment(AT, 'PAY-7Q2M9XK4T1B8V6N3C5ZD')}`)).toBeUndefined();
    expect(backTo(merchantReferenceKey(TENANT, 'ORDER-1').pk)).toBeUndefined();
    expect(readCursorTime('')).toBeUndefined();
  });
});
