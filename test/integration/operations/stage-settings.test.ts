import { HOUR } from '#shared/platform/kernel/time.ts';
import { landEvents } from '#test/support/emulators/landed-events.ts';
import { longTest } from '#test/support/jest/long.ts';
import { apiEvent } from '#test/support/worlds/api-event.ts';
import { makeBatch, runFunction } from '#test/support/worlds/function-process.ts';
import { business, endpointId, openMerchantForEachTest, receiver, world } from '#test/support/worlds/test-merchant.ts';

/* Other tests compose functions from a world's dependencies. These tests compose functions from a stage's settings. */

describe('the composed functions of a stage with public targets and its own schedule', () => {
  // The composed functions use the real clock.
  openMerchantForEachTest({ world: { startAt: Date.now() } });

  const run = async (name: string, event: unknown) => {
    const settings = {
      TABLE_NAME: world.table.name,
      WEBHOOK_TARGETS: 'public',
      RETRY_SCHEDULE: JSON.stringify({ gaps: [3 * HOUR], afterwards: HOUR, until: 9 * HOUR }),
    };
    const printed = await runFunction(name, event, settings);
    return JSON.parse(printed.at(-1) ?? '');
  };

  longTest('refuse to create or update an endpoint that is not public', async () => {
    const headers = { authorization: `Bearer ${business.keys.secret_test}` };
    const call = { headers, body: { url: receiver.url } };
    const params = { id: endpointId };
    const answers = await Promise.all([
      run('create-webhook-endpoint', apiEvent(call)),
      run('update-webhook-endpoint', apiEvent({ ...call, method: 'PATCH', params })),
    ]);
    const errors = [
      {
        field: 'url',
        message:
          'url must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.',
      },
    ];
    for (const { statusCode, body } of answers) expect([statusCode, JSON.parse(body).errors]).toEqual([422, errors]);
  });

  test('post nothing to an endpoint that is not public, and retry on the stage’s schedule', async () => {
    await landEvents(world.deps, business.id, 1);
    const jobs = await world.takeJobs();
    expect(await run('deliver-webhooks', makeBatch(jobs))).toEqual({ batchItemFailures: [] });
    expect(receiver.received).toHaveLength(0);
    const { state, lastAttempt, nextAttemptAt } = await world.delivery();
    const error =
      'The request was not sent: the URL must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.';
    expect([state, lastAttempt?.error]).toEqual(['pending', error]);
    const gap = (nextAttemptAt ?? 0) - (lastAttempt?.at ?? 0);
    expect(gap).toBeGreaterThan(2.3 * HOUR);
    expect(gap).toBeLessThan(3.7 * HOUR);
  });
});
