import { HOUR } from '#shared/platform/kernel/time.ts';
import { makeContent } from '#shared/providers/domain/notification-content.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { receiveNotification } from '#test/support/worlds/handlers.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import type { Sent } from '#test/support/worlds/live-steps.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

const PROVIDER = 'paystack';

reconcileAt(PROVIDER);
openWorldForEachTest();

type Changes = Partial<LiveWorld['deps']>;
const stage = (changes: Changes = {}) => ({ ...world.deps, ...changes, operator: async () => 'bisi' });
const ops = (...args: string[]) => runOpsAsJson(stage(), 'notification', ...args);
const listStuck = async () => (await ops('list')).notifications;
const recordedChanges = async () => (await world.itemsOf('LOG#')).map(({ what }) => what);

/** Calls the function that receives notifications, and then the consumer. `changes`: replaced dependencies. */
const receive = async ({ headers, body }: Sent, changes: Changes = {}): Promise<void> => {
  const path = `/providers/${PROVIDER}/notifications`;
  const event = apiEvent({ method: 'POST', path, params: { provider: PROVIDER }, headers, body });
  const handler = receiveNotification({ ...world.deps, ...changes });
  expect((await handler(event, lambdaContext())).statusCode).toBe(200);
  await world.consumeMoney([PROVIDER], changes);
};
/** Pays into a virtual account, and holds the notification back. */
const paidAccount = async () => {
  const { held } = await world.holdNotifications(PROVIDER);
  const account = await merchant.account(PROVIDER);
  await world.pay(PROVIDER, account.accountNumber, 250_075);
  const [sent] = await held();
  return { account, sent: sent as Sent };
};
/** Makes reconciliation find nothing, so that only the notification can record the money. */
const withoutList = () => world.withoutReconciliation();
/** Makes the provider never know the payment that it notified us of. */
const withoutPayment = () => world.scripted(PROVIDER, () => ({ lookUp: async () => 'unknown' }));
/** Builds a notification of a payment with unreadable fields. */
const halfReadable = (): Sent =>
  world.signed(PROVIDER, { event: 'charge.success', data: { reference: 42, sender_name: 'Chidi Eze' } });

const causes: readonly [string, () => Changes, string][] = [
  ['the provider knows nothing of it', () => withoutPayment(), 'provider_knows_nothing'],
  [
    'its look-up always fails',
    () => {
      world.simulator.fault(PROVIDER, { kind: 'server_fault', path: LOOK_UP[PROVIDER] });
      return {};
    },
    'no_usable_answer',
  ],
  [
    'its money cannot be recorded',
    () => ({
      ledger: {
        ...world.deps.ledger,
        locate: async () => {
          throw new Error('No such owner.');
        },
      },
    }),
    'not_recorded',
  ],
];

describe('a notification', () => {
  testRows(causes)(
    'appears on the operators’ list within an hour if %s; no money counts, and it leaves the list when it is settled',
    async (_, cause, why) => {
      const { account, sent } = await paidAccount();
      const changes = { ...cause(), ...withoutList() };
      await receive(sent, changes);
      expect(await listStuck()).toEqual([]);
      await world.minutesPass(39, 1, changes);
      expect(await listStuck()).toEqual([]);
      expect(world.measuredSum('notifications_stuck')).toBe(0);
      await world.minutesPass(20, 1, changes);
      const [item] = await world.itemsOf('NTF');
      expect(await listStuck()).toMatchObject([
        {
          id: `${PROVIDER}:${item?.hash}`,
          provider: PROVIDER,
          received_at: '2026-11-20T12:00:00.000000Z',
          from: 'provider',
        },
      ]);
      const [{ why: listedReason, stuck_since: since }] = await listStuck();
      expect(['provider_unavailable', why]).toContain(listedReason);
      expect(Date.parse(since)).toBeLessThan(Date.parse('2026-11-20T12:57:00Z'));
      expect(item).not.toHaveProperty('ttl');
      // An alarm watches this metric. One sweep makes the notification stuck, and the next sweep measures the metric.
      expect(world.measured.filter(({ metric }) => metric === 'notifications_stuck').at(-1)?.value).toBe(1);
      expect(await world.unmatched()).toEqual([]);
      const totals = await merchant.api.totals(undefined, {}, { from: '2026-11-20', to: '2026-11-20' });
      expect(totals.json.data).toMatchObject([{ count: 0, amount: 0 }]);

      world.simulator.fault(PROVIDER, null);
      await world.minutesPass(15, 1, withoutList());
      expect(await world.recordedAmounts()).toEqual([250_075]);
      expect((await merchant.api.listPayments(account.id)).json.data).toHaveLength(1);
      expect(await listStuck()).toEqual([]);
      const [settled] = await world.itemsOf('NTF');
      expect(settled).toMatchObject({ dueAt: null, why: null, stuckSince: null, ttl: expect.any(Number) });
      const before = world.measuredSum('notifications_stuck');
      await world.minutesPass(2, 1, withoutList());
      expect(world.measuredSum('notifications_stuck')).toBe(before);
    },
  );

  test('appears on the list at once if it cannot be read, and a later release reads it again', async () => {
    await receive(halfReadable());
    expect(await listStuck()).toMatchObject([{ why: 'notification_unreadable', tries: 1 }]);
    await world.minutesPass(2);
    expect(world.measured.filter(({ metric }) => metric === 'notifications_stuck').map(({ value }) => value)).toContain(
      1,
    );
    const [{ id }] = await listStuck();
    const output = await runOpsAsText(stage(), 'notification', 'show', id);
    expect(output).toContain('notification_unreadable');
    expect(output).not.toContain('Chidi');
    const newer = world.scripted(PROVIDER, () => ({ read: () => makeContent() }));
    await world.minutesPass(10, 1, newer);
    expect(await listStuck()).toEqual([]);
  });

  test('stays on the list until an operator dismisses it, if its refund needs attention', async () => {
    const { sent } = await paidAccount();
    const attention = world.scripted(PROVIDER, (real) => ({
      read: (raw) => ({ ...real.read(raw), problem: 'refund_needs_attention' }),
    }));
    await receive(sent, attention);
    // The payment is recorded.
    expect(await world.recordedAmounts()).toEqual([250_075]);
    await world.minutesPass(12, 1, attention);
    expect(await listStuck()).toMatchObject([{ why: 'refund_needs_attention', next_try_at: null, tries: 0 }]);
    const [{ id }] = await listStuck();
    await ops('dismiss', id);
    expect(await listStuck()).toEqual([]);
    expect(await recordedChanges()).toEqual([`dismissed notification ${id}`]);
    await expect(ops('dismiss', id)).rejects.toThrow(/There is no stuck notification/);
  });

  /** Lets three days pass in which a notification is not settled, so that it is tried daily from now on. */
  const stuckForDays = async (changes: Changes): Promise<Sent> => {
    const { sent } = await paidAccount();
    await receive(sent, changes);
    for (let hours = 0; hours < 75; hours += 3) await world.minutesPass(180, 180, changes);
    return sent;
  };

  longTest(
    'gets tried daily after 72 hours, and leaves the list by itself if its money was recorded meanwhile',
    async () => {
      const changes = { ...withoutPayment(), ...withoutList() };
      const sent = await stuckForDays(changes);
      const [{ tries, next_try_at: next }] = await listStuck();
      const wait = Date.parse(next) - world.clock.now();
      expect([wait > 20 * HOUR, wait <= 24 * HOUR]).toEqual([true, true]);
      await world.minutesPass(24 * 60, 180, changes);
      expect(await listStuck()).toMatchObject([{ why: 'provider_knows_nothing', tries: tries + 1 }]);
      // The provider sends the same event in other bytes, which are another notification.
      await receive(world.signed(PROVIDER, { ...JSON.parse(sent.body), sent_again: true }));
      expect(await world.recordedAmounts()).toEqual([250_075]);
      expect(await listStuck()).toHaveLength(1);
      await world.minutesPass(25 * 60, 180, withoutList());
      expect(await listStuck()).toEqual([]);
      expect(await world.recordedAmounts()).toEqual([250_075]);
      expect(await recordedChanges()).toEqual([]);
    },
  );

  test('stays on the list beyond 72 hours without expiring, until an operator settles it', async () => {
    const changes = { ...withoutPayment(), ...withoutList() };
    await stuckForDays(changes);
    expect(await listStuck()).toMatchObject([{ why: 'provider_knows_nothing', next_try_at: expect.any(String) }]);
    expect((await world.itemsOf('NTF'))[0]).not.toHaveProperty('ttl');
    const [{ id }] = await listStuck();
    expect((await ops('show', id)).notification.references).toEqual([expect.stringMatching(/\w/)]);
    const stillUnknown = await runOpsAsJson(stage(changes), 'notification', 'retry', id);
    expect(stillUnknown).toMatchObject({ settled: false, notification: { why: 'provider_knows_nothing' } });
    expect(await ops('retry', id)).toMatchObject({ settled: true });
    expect(await listStuck()).toEqual([]);
    expect(await world.recordedAmounts()).toEqual([250_075]);
    expect(await recordedChanges()).toEqual([`tried again notification ${id}`, `tried again notification ${id}`]);
  });

  longTest(
    'gets settled by the sweeper if a process dies before it writes the outcome, and stays listed while it is stuck',
    async () => {
      const { sent } = await paidAccount();
      const dying = {
        ...withoutList(),
        notifications: {
          ...world.deps.notifications,
          replace: async () => {
            throw new Error('The process died.');
          },
        },
      };
      await receive(sent, { ...dying, ...withoutPayment() });
      expect(await world.itemsOf('NTF')).toMatchObject([{ tries: 0, stuckSince: null }]);
      await world.minutesPass(45, 1, { ...dying, ...withoutPayment() });
      await world.minutesPass(1, 1, { ...withoutPayment(), ...withoutList() });
      expect(await listStuck()).toHaveLength(1);
      await world.minutesPass(5, 1, { ...dying, ...withoutPayment() });
      expect(await listStuck()).toHaveLength(1);
      await world.minutesPass(12, 1, withoutList());
      expect(await listStuck()).toEqual([]);
      expect(await world.recordedAmounts()).toEqual([250_075]);
    },
  );

  test('cannot be dismissed if it is tried at the same moment', async () => {
    await receive(halfReadable());
    const [{ id }] = await listStuck();
    const { replace } = world.deps.notifications;
    const meanwhile = {
      ...world.deps.notifications,
      replace: async (...args: Parameters<typeof replace>) => {
        await world.sweepAfter(60_000);
        return replace(...args);
      },
    };
    await expect(runOpsAsJson(stage({ notifications: meanwhile }), 'notification', 'dismiss', id)).rejects.toThrow(
      /was tried at the same moment/,
    );
    expect(await listStuck()).toMatchObject([{ tries: 2 }]);
  });

  test('has all of its queries looked up, even if one fails', async () => {
    const { sent } = await paidAccount();
    const two = world.scripted(PROVIDER, (real) => ({
      read: (raw) => makeContent({ queries: [{ by: 'transaction', value: 'unreadable' }, ...real.read(raw).queries] }),
      lookUp: async (query) => {
        if (query.value === 'unreadable') throw new Error('It cannot be read.');
        return real.lookUp(query);
      },
    }));
    await receive(sent, two);
    expect(await world.recordedAmounts()).toEqual([250_075]);
    expect(await world.itemsOf('NTF')).toMatchObject([{ why: 'not_recorded', tries: 1 }]);
  });
});

longTest(
  'an entry of reconciliation that is not settled gets stuck like a notification, and leaves the list when it is settled',
  async () => {
    const { accountNumber } = await merchant.account(PROVIDER);
    await world.holdNotifications(PROVIDER);
    await world.pay(PROVIDER, accountNumber, 250_075);
    const failing = world.scripted(PROVIDER, () => ({ lookUp: async () => 'unknown' }));
    await world.minutesPass(75, 1, failing);
    expect(await listStuck()).toMatchObject([{ from: 'reconciliation', why: 'provider_knows_nothing' }]);
    await world.minutesPass(15);
    expect(await listStuck()).toEqual([]);
    expect(await world.recordedAmounts()).toEqual([250_075]);
  },
);
