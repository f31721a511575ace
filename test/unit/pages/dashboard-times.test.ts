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
  const readTime = (position: string) => readCursorTime(cursorTo('a key', TENANT, 'a list', position) ?? '');

  test('the hour in which a key was used is written as its beginning, its end and the day in Lagos', () => {
    expect(lagosHour('2026-11-27T23:00:00.000Z')).toBe('00:00 and 01:00 on 28 Nov 2026');
  });

  test('the time of an id is the time of its ULID', () => {
    expect(new Date(timeOfId('pay_01ARYZ6S41TSV4RRFFQ69G5FAV')).toISOString()).toBe('2016-07-30T22:36:16.385Z');
  });

  test.each([
    ['payments', positionOfPayment(AT, `pay_${ULID}`)],
    ['checkouts', inCheckouts(TENANT, AT, 'PAY-7Q2M9XK4T1B8V6N3C5ZD').gsi1sk],
    ['events', inEvents(TENANT, AT, `evt_${ULID}`).gsi1sk],
  ])('the cursor of a list of %s says how far back the list was searched', (_, position) => {
    expect(readTime(position)).toBe('2026-11-03T13:05:00.123Z');
  });

  test('the cursors of the audit log and of waiting events say how far back these were searched', () => {
    const time = new Date(timeOfId(`log_${ULID}`)).toISOString();
    expect(readTime(memberChangeKey(TENANT.businessId, `log_${ULID}`).sk)).toBe(time);
    expect(readTime(`evt_${ULID}`)).toBe(time);
  });

  test('the cursor of a list that is not in the order of time has no time', () => {
    expect(readTime(`LABEL#server#${positionOfPayment(AT, 'PAY-7Q2M9XK4T1B8V6N3C5ZD')}`)).toBeUndefined();
    expect(readTime(merchantReferenceKey(TENANT, 'ORDER-1').pk)).toBeUndefined();
    expect(readCursorTime('')).toBeUndefined();
  });
});
