import { readdir, readFile } from 'node:fs/promises';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { listRoutes, listSessionRoutes } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { TABLE_RIGHTS } from '#infra/table-rights.ts';
import { RECOVERY_LEASE } from '#shared/businesses/domain/usage-limits.ts';
import { FIRST_LOOK_UP } from '#shared/payments/domain/notification.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { MONEY_LEASE } from '#shared/sweeps/use-cases/do-money-work.ts';
import { ATTEMPT_TIMEOUT } from '#shared/webhooks/domain/delivery.ts';
import { LEASE } from '#shared/webhooks/domain/delivery-transitions.ts';

const LONGEST_HANDLER = 40;

/** The time-out of a function in milliseconds. */
const timeoutOf = (name: string): number =>
  (FUNCTIONS.find((spec) => spec.name === name)?.timeoutSeconds ?? Number.NaN) * SECOND;

describe('the manifest of functions', () => {
  test('names every folder under functions/, and no other', async () => {
    const folders = await readdir('functions');
    expect(ALL_FUNCTIONS.map(({ name }) => name).sort()).toEqual(folders.sort());
    expect(Object.keys(TABLE_RIGHTS).sort()).toEqual(folders.sort());
  });

  test('has every route only once, and has a default route', () => {
    const routes = ALL_FUNCTIONS.flatMap(({ trigger }) => [...listRoutes(trigger), ...listSessionRoutes(trigger)]);
    expect(new Set(routes).size).toBe(routes.length);
    expect(routes).toContain('$default');
  });

  test('gives the webhook consumer a time-out that is longer than an attempt with its reads and writes, and at most as long as its lease', () => {
    const time = timeoutOf('deliver-webhooks');
    expect(time).toBeGreaterThanOrEqual(ATTEMPT_TIMEOUT + 10 * SECOND);
    expect(time).toBeLessThanOrEqual(LEASE);
  });

  test('ends a run of the money consumer before its lease ends, which is before the work is due again', () => {
    expect(timeoutOf('do-money-work')).toBeLessThan(MONEY_LEASE);
    expect(MONEY_LEASE).toBeLessThan(FIRST_LOOK_UP);
  });

  test('ends a recovery before its lease ends', () => {
    expect(timeoutOf('recover-webhook-endpoint')).toBeLessThan(RECOVERY_LEASE);
  });

  test('gives scheduled functions a time-out that is shorter than their interval', () => {
    const runs = ALL_FUNCTIONS.flatMap(({ trigger, timeoutSeconds }) =>
      trigger.kind === 'schedule' ? [trigger.everySeconds - timeoutSeconds] : [],
    );
    expect(runs.length).toBeGreaterThan(0);
    expect(Math.min(...runs)).toBeGreaterThan(0);
  });

  test.each(ALL_FUNCTIONS.map(({ name }) => name))('the handler of %s has at most 40 lines', async (name) => {
    const lines = (await readFile(`functions/${name}/handler.ts`, 'utf8')).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(LONGEST_HANDLER);
  });
});
