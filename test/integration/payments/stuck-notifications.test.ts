import { HOUR } from '#shared/platform/kernel/time.ts';
import { notice } from '#shared/providers/domain/notice.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { receiveNotification } from '#test/support/worlds/handlers.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import type { Sent } from '#test/support/worlds/live-steps.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { opsOn, opsPrinted } from '#test/support/worlds/operations.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

const PROVIDER = 'paystack';

reconcileAt(PROVIDER);
openWorldForEachTest();

type Changes = Partial<LiveWorld['deps']>;
const stage = (changes: Changes = {}) => ({ ...world.deps, ...changes, operator: async () => 'bisi' });
const ops = (...args: string[]) => opsOn(stage(), 'notification', ...args);
const listed = async () => (await ops('list')).notifications;
const recordedChanges = async () => (await world.itemsOf('LOG#')).map(({ what }) => what);

/** Calls the function that receives notifications, and then the consumer, with some dependencies replaced. */
const receive = async ({ headers, body }: Sent, changes: Changes = {}): Promise<void> => {
  const path = `/providers/${PROVIDER}/notifications`;
  const event = apiEvent({ method: 'POST', path, params: { provider: PROVIDER }, headers, body });
  const handler = receiveNotification({ ...world.deps, ...changes });
  expect((await handler(event, lambdaContext())).statusCode).toBe(200);
  await world.consumeMoney([PROVIDER], changes);
};
/** A paid virtual account, and the notification of its payment, which has not reached us. */
const paidAccount = async () => {
  const { held } = await world.holdNotifications(PROVIDER);
  const account = await merchant.account(PROVIDER);
  await world.pay(PROVIDER, account.accountNumber, 250_075);
  const [sent] = await held();
  return { account, sent: sent as Sent };
};
/** Reconciliation finds nothing, so that the notification alone settles it. */
const withoutList = () => world.withoutReconciliation();
/** A provider that never knows what it notified us of. */
const unknowing = () => world.scripted(PROVIDER, () => ({ lookUp: async () => 'unknown' }));
/** A notification of a payment whose fields cannot be read. */
const halfReadable = (): Sent =>
  world.signed(PROVIDER, { event: 'charge.success', data: { reference: 42, sender_name: 'Chidi Eze' } });

const causes: readonly [string, () => Changes, string][] = [
  ['whose provider says that it knows nothing', () => unknowing(), 'provider_knows_nothing'],
  [
    'whose look-up always throws',
    () => {
      world.simulator.fault(PROVIDER, { kind: 'server_fault', path: LOOK_UP[PROVIDER] });
      return {};
    },
    'no_usable_answer',
  ],
  [
    'whose money cannot be recorded',
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
    '%s is on the operators’ list within an hour, as no money, and leaves it once it is settled',
    async (_, cause, why) => {
      const { account, sent } = await paidAccount();
      const changes = { ...cause(), ...withoutList() };
      await receive(sent, changes);
      expect(await listed()).toEqual([]);
      await world.minutesPass(39, 1, changes);
      expect(await listed()).toEqual([]);
      expect(world.measuredSum('notifications_stuck')).toBe(0);
      await world.minutesPass(20, 1, changes);
      const [item] = await world.itemsOf('NTF');
      expect(await listed()).toMatchObject([
        {
          id: `${PROVIDER}:${item?.hash}`,
          provider: PROVIDER,
          received_at: '2026-11-20T12:00:00.000000Z',
          from: 'provider',
        },
      ]);
      const [{ why: shown, stuck_since: since }] = await listed();
      expect(['provider_unavailable', why]).toContain(shown);
      expect(Date.parse(since)).toBeLessThan(Date.parse('2026-11-20T12:57:00Z'));
      expect(item).not.toHaveProperty('ttl');
      // An alarm watches it, from the sweep after the one that made it stuck.
      expect(world.measured.filter(({ metric }) => metric === 'notifications_stuck').at(-1)?.value).toBe(1);
      expect(await world.unmatched()).toEqual([]);
      const totals = await merchant.api.totals(undefined, {}, { from: '2026-11-20', to: '2026-11-20' });
      expect(totals.json.data).toMatchObject([{ count: 0, amount: 0 }]);

      world.simulator.fault(PROVIDER, null);
      await world.minutesPass(15, 1, withoutList());
      expect(await world.recordedAmounts()).toEqual([250_075]);
      expect((await merchant.api.listPayments(account.id)).json.data).toHaveLength(1);
      expect(await listed()).toEqual([]);
      const [settled] = await world.itemsOf('NTF');
      expect(settled).toMatchObject({ dueAt: null, why: null, stuckSince: null, ttl: expect.any(Number) });
      const before = world.measuredSum('notifications_stuck');
      await world.minutesPass(2, 1, withoutList());
      expect(world.measuredSum('notifications_stuck')).toBe(before);
    },
  );

  test('that cannot be read is on the list at once, and is read again by a later release', async () => {
    await receive(halfReadable());
    expect(await listed()).toMatchObject([{ why: 'notification_unreadable', tries: 1 }]);
    await world.minutesPass(2);
    expect(world.measured.filter(({ metric }) => metric === 'notifications_stuck').map(({ value }) => value)).toContain(
      1,
    );
    const [{ id }] = await listed();
    const shown = await opsPrinted(stage(), 'notification', 'show', id);
    expect(shown).toContain('notification_unreadable');
    expect(shown).not.toContain('Chidi');
    const newer = world.scripted(PROVIDER, () => ({ read: () => notice() }));
    await world.minutesPass(10, 1, newer);
    expect(await listed()).toEqual([]);
  });

  test('of a refund that needs attention waits on the list until an operator dismisses it', async () => {
    const { sent } = await paidAccount();
    const attention = world.scripted(PROVIDER, (real) => ({
      read: (raw) => ({ ...real.read(raw), problem: 'refund_needs_attention' }),
    }));
    await receive(sent, attention);
    // What else it says is recorded.
    expect(await world.recordedAmounts()).toEqual([250_075]);
    await world.minutesPass(12, 1, attention);
    expect(await listed()).toMatchObject([{ why: 'refund_needs_attention', next_try_at: null, tries: 0 }]);
    const [{ id }] = await listed();
    await ops('dismiss', id);
    expect(await listed()).toEqual([]);
    expect(await recordedChanges()).toEqual([`dismissed notification ${id}`]);
    await expect(ops('dismiss', id)).rejects.toThrow(/No notification/);
  });

  /** Three days in which a payment is not settled, so that its notification is tried daily from now on. */
  const stuckForDays = async (changes: Changes): Promise<Sent> => {
    const { sent } = await paidAccount();
    await receive(sent, changes);
    for (let hours = 0; hours < 75; hours += 3) await world.minutesPass(180, 180, changes);
    return sent;
  };

  longTest(
    'is tried daily from 72 hours on, and leaves the list by itself after money that was recorded meanwhile',
    async () => {
      const changes = { ...unknowing(), ...withoutList() };
      const sent = await stuckForDays(changes);
      const [{ tries, next_try_at: next }] = await listed();
      const wait = Date.parse(next) - world.clock.now();
      expect([wait > 20 * HOUR, wait <= 24 * HOUR]).toEqual([true, true]);
      await world.minutesPass(24 * 60, 180, changes);
      expect(await listed()).toMatchObject([{ why: 'provider_knows_nothing', tries: tries + 1 }]);
      // The provider sends the same event again in other bytes, which is another notification.
      await receive(world.signed(PROVIDER, { ...JSON.parse(sent.body), sent_again: true }));
      expect(await world.recordedAmounts()).toEqual([250_075]);
      expect(await listed()).toHaveLength(1);
      await world.minutesPass(25 * 60, 180, withoutList());
      expect(await listed()).toEqual([]);
      expect(await world.recordedAmounts()).toEqual([250_075]);
      expect(await recordedChanges()).toEqual([]);
    },
  );

  test('stays on the list beyond 72 hours and the life of its bytes, and is settled by an operator', async () => {
    const changes = { ...unknowing(), ...withoutList() };
    await stuckForDays(changes);
    expect(await listed()).toMatchObject([{ why: 'provider_knows_nothing', next_try_at: expect.any(String) }]);
    expect((await world.itemsOf('NTF'))[0]).not.toHaveProperty('ttl');
    const [{ id }] = await listed();
    expect((await ops('show', id)).notification.references).toEqual([expect.stringMatching(/\w/)]);
    const stillUnknown = await opsOn(stage(changes), 'notification', 'retry', id);
    expect(stillUnknown).toMatchObject({ settled: false, notification: { why: 'provider_knows_nothing' } });
    expect(await ops('retry', id)).toMatchObject({ settled: true });
    expect(await listed()).toEqual([]);
    expect(await world.recordedAmounts()).toEqual([250_075]);
    expect(await recordedChanges()).toEqual([`tried again notification ${id}`, `tried again notification ${id}`]);
  });

  longTest(
    'whose request dies before it writes the outcome is settled by the sweeper, and one that is stuck stays listed',
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
      await receive(sent, { ...dying, ...unknowing() });
      expect(await world.itemsOf('NTF')).toMatchObject([{ tries: 0, stuckSince: null }]);
      await world.minutesPass(45, 1, { ...dying, ...unknowing() });
      await world.minutesPass(1, 1, { ...unknowing(), ...withoutList() });
      expect(await listed()).toHaveLength(1);
      await world.minutesPass(5, 1, { ...dying, ...unknowing() });
      expect(await listed()).toHaveLength(1);
      await world.minutesPass(12, 1, withoutList());
      expect(await listed()).toEqual([]);
      expect(await world.recordedAmounts()).toEqual([250_075]);
    },
  );

  test('that is tried while an operator dismisses it is not dismissed unseen', async () => {
    await receive(halfReadable());
    const [{ id }] = await listed();
    const { replace } = world.deps.notifications;
    const meanwhile = {
      ...world.deps.notifications,
      replace: async (...given: Parameters<typeof replace>) => {
        await world.sweepAfter(60_000);
        return replace(...given);
      },
    };
    await expect(opsOn(stage({ notifications: meanwhile }), 'notification', 'dismiss', id)).rejects.toThrow(
      /was tried at this moment/,
    );
    expect(await listed()).toMatchObject([{ tries: 2 }]);
  });

  test('keeps no other query of itself from being looked up when one fails', async () => {
    const { sent } = await paidAccount();
    const two = world.scripted(PROVIDER, (real) => ({
      read: (raw) => notice({ queries: [{ by: 'transaction', value: 'unreadable' }, ...real.read(raw).queries] }),
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
  'reconciliation that meets an unreadable answer schedules it again, and leaves a stuck one on the list',
  async () => {
    const { accountNumber } = await merchant.account(PROVIDER);
    await world.holdNotifications(PROVIDER);
    await world.pay(PROVIDER, accountNumber, 250_075);
    const failing = world.scripted(PROVIDER, () => ({ lookUp: async () => 'unknown' }));
    await world.minutesPass(75, 1, failing);
    expect(await listed()).toMatchObject([{ from: 'reconciliation', why: 'provider_knows_nothing' }]);
    await world.minutesPass(15);
    expect(await listed()).toEqual([]);
    expect(await world.recordedAmounts()).toEqual([250_075]);
  },
);
