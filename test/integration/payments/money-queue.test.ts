import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { MONEY_LEASE } from '#shared/sweeps/use-cases/do-money-work.ts';
import { doMoneyWork } from '#test/support/worlds/functions.ts';
import { doMoneyWorkFunction } from '#test/support/worlds/handlers.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';

/* Money work goes through a queue, which may deliver a message twice, late or never. */

openWorldForEachTest();

const PROVIDER = 'paystack';

/** Stores and queues the notification of a payment. Returns its ticket, which no consumer has handled. */
const queueNotification = async (amount = 250_075) => {
  const { held } = await world.holdNotifications(PROVIDER);
  const account = await merchant.account(PROVIDER);
  await world.pay(PROVIDER, account.accountNumber, amount);
  const [sent] = await held();
  if (!sent) throw new Error('The simulator has sent no notification.');
  world.holdMoneyWork(true);
  expect((await world.notify(PROVIDER, sent)).status).toBe(200);
  world.holdMoneyWork(false);
  const [ticket] = await world.takeTickets(PROVIDER);
  if (!ticket) throw new Error('The notification was not queued.');
  return { account, ticket };
};
const notification = async () => (await world.itemsOf('NTF')).find(({ query }) => query === null);
/** Sweeps after a minute, without reconciliation. The messages stay in the queue. */
const sweepAlone = async (): Promise<void> => {
  world.clock.advance(MINUTE);
  await world.dispatch(world.withoutReconciliation());
};
const recordOf = (body: unknown, messageId: string) => ({
  messageId,
  body: JSON.stringify(body),
  eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:payments-dev-money-${PROVIDER}`,
});
/** Hands messages to the consumer as Lambda does. Returns the ids of the messages that failed. */
const invoke = async (...bodies: readonly unknown[]): Promise<readonly string[]> => {
  const Records = bodies.map((body, n) => recordOf(body, `message ${n}`));
  const { batchItemFailures } = await doMoneyWorkFunction(world.deps)({ Records } as never);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
};

test('a ticket that comes five times at once, and then once more, causes one look-up', async () => {
  const { ticket } = await queueNotification();
  const lookUps = world.countLookUps(PROVIDER);
  expect(await invoke(ticket, ticket, ticket, ticket, ticket)).toEqual([]);
  expect(await invoke(ticket)).toEqual([]);
  expect(lookUps()).toBe(1);
  expect(await world.recordedAmounts()).toEqual([250_075]);
  expect(await notification()).toMatchObject({ dueAt: null, tries: 0 });
});

test('work that the queue does not take stays overdue for alarms, and the next sweep sends it', async () => {
  await queueNotification();
  const entry = (await notification())?.gsi2sk;
  world.clock.advance(MINUTE);
  const send = () => Promise.reject(new Error('There is no such queue.'));
  await world.dispatch({ ...world.withoutReconciliation(), moneyQueue: { send } });
  expect(world.loggedTimes('work_not_queued')).toBe(1);
  expect((await notification())?.gsi2sk).toBe(entry);
  await sweepAlone();
  await world.consumeMoney();
  expect(await world.recordedAmounts()).toEqual([250_075]);
});

test('all work stays overdue if the queue took only a part of it, and each payment lands once', async () => {
  for (const amount of [110_000, 120_000, 130_000]) await queueNotification(amount);
  const entries = async () => (await world.itemsOf('NTF')).map(({ gsi2sk }) => gsi2sk).toSorted();
  const before = await entries();
  world.clock.advance(MINUTE);
  const { moneyQueue } = world.deps;
  const send: typeof moneyQueue.send = async (lane, works) => {
    await moneyQueue.send(lane, works.slice(0, 1));
    throw new Error('The queue took one.');
  };
  await world.dispatch({ ...world.withoutReconciliation(), moneyQueue: { send } });
  expect(await entries()).toEqual(before);
  await sweepAlone();
  const lookUps = world.countLookUps(PROVIDER);
  const sent = await world.takeTickets(PROVIDER);
  expect(sent.length).toBeGreaterThan(3);
  expect(await invoke(...sent)).toEqual([]);
  expect(lookUps()).toBe(3);
  expect((await world.recordedAmounts()).toSorted()).toEqual([110_000, 120_000, 130_000]);
});

test('a ticket that is lost is sent again by the first sweep after a minute', async () => {
  await queueNotification();
  await sweepAlone();
  expect(await world.recordedAmounts()).toEqual([]);
  await world.consumeMoney();
  expect(await world.recordedAmounts()).toEqual([250_075]);
});

test('work that was sent again is sent a third time after five minutes, not earlier', async () => {
  await queueNotification();
  for (let minutes = 0; minutes < 5; minutes++) await sweepAlone();
  expect(await world.takeTickets(PROVIDER)).toHaveLength(1);
  await sweepAlone();
  expect(await world.takeTickets(PROVIDER)).toHaveLength(1);
});

test('a consumer that dies holds its work until its lease ends, not longer', async () => {
  const { ticket } = await queueNotification();
  const dying = { ...world.deps.notifications, find: () => new Promise<never>(() => {}) };
  void doMoneyWork({ ...world.deps, notifications: dying }, ticket);
  while ((await notification())?.leaseUntil === undefined) await new Promise(setImmediate);
  expect(await invoke(ticket)).toEqual([]);
  expect(await world.recordedAmounts()).toEqual([]);
  world.clock.advance(MONEY_LEASE);
  expect(await invoke(ticket)).toEqual([]);
  expect(await world.recordedAmounts()).toEqual([250_075]);
});

test('a ticket that waited for ten minutes is still valid, and the tickets sent meanwhile are its duplicates', async () => {
  const { ticket } = await queueNotification();
  for (let minutes = 0; minutes < 10; minutes++) await sweepAlone();
  const later = await world.takeTickets(PROVIDER);
  expect(later).toEqual([ticket, ticket]);
  const lookUps = world.countLookUps(PROVIDER);
  expect(await invoke(ticket)).toEqual([]);
  expect(await invoke(...later)).toEqual([]);
  expect(lookUps()).toBe(1);
  expect(await world.recordedAmounts()).toEqual([250_075]);
});

test('a ticket does nothing if its work is now due at another time', async () => {
  const { ticket } = await queueNotification();
  const unknown = world.scripted(PROVIDER, () => ({ lookUp: async () => 'unknown' }));
  world.clock.advance(SECOND);
  await doMoneyWork({ ...world.deps, ...unknown }, ticket);
  expect(await notification()).toMatchObject({ tries: 1, dueAt: world.clock.now() + MINUTE });
  const lookUps = world.countLookUps(PROVIDER);
  world.clock.advance(MONEY_LEASE);
  expect(await invoke(ticket)).toEqual([]);
  expect(lookUps()).toBe(0);
});

test('a ticket is not received again if the provider is down or limits us; a sweep sends the work again when it is due', async () => {
  const { ticket } = await queueNotification();
  world.simulator.fault(PROVIDER, { kind: 'rate_limited', path: LOOK_UP[PROVIDER] });
  expect(await invoke(ticket)).toEqual([]);
  expect(await notification()).toMatchObject({ tries: 0, why: 'provider_busy', dueAt: world.clock.now() + MINUTE });
  world.simulator.fault(PROVIDER, null);
  world.simulator.fault(PROVIDER, { kind: 'server_fault' });
  await sweepAlone();
  await world.consumeMoney();
  expect(await notification()).toMatchObject({ tries: 1, why: 'no_usable_answer' });
  world.simulator.fault(PROVIDER, null);
  await world.minutesPass(3, 1, world.withoutReconciliation());
  expect(await world.recordedAmounts()).toEqual([250_075]);
});

test('an expiry stays due if its look-up fails by our fault, and its ticket is received again each time', async () => {
  const { expiresAt } = await merchant.checkout(PROVIDER);
  world.clock.advance(expiresAt - world.clock.now() + MINUTE);
  await world.dispatch(world.withoutReconciliation());
  const [ticket] = await world.takeTickets(PROVIDER);
  if (!ticket) throw new Error('The expiry was not queued.');
  const broken = world.scripted(PROVIDER, () => ({ lookUp: () => Promise.reject(new TypeError('A fault of ours.')) }));
  const before = (await world.itemsOf('CHK'))[0]?.gsi2sk;
  for (let receives = 0; receives < 5; receives++) {
    await expect(doMoneyWork({ ...world.deps, ...broken }, ticket)).rejects.toThrow('A fault of ours.');
    world.clock.advance(MONEY_LEASE);
  }
  expect((await world.itemsOf('CHK'))[0]?.gsi2sk).toBe(before);
  expect(await invoke(ticket)).toEqual([]);
});

test('the ticket of a notification is received again if its try cannot be written', async () => {
  const { ticket } = await queueNotification();
  const replace = () => Promise.reject(new Error('The table is down.'));
  const notifications = { ...world.deps.notifications, replace };
  await expect(doMoneyWork({ ...world.deps, notifications }, ticket)).rejects.toThrow('The table is down.');
  world.clock.advance(MONEY_LEASE);
  expect(await invoke(ticket)).toEqual([]);
  expect(await world.recordedAmounts()).toEqual([250_075]);
  expect(await notification()).toMatchObject({ dueAt: null, why: null });
});

test('a ticket is received again if its work fails by our fault, or if it cannot be read', async () => {
  const { ticket } = await queueNotification();
  const dueTickets = { ...world.deps.dueTickets, take: () => Promise.reject(new Error('The table is down.')) };
  await expect(doMoneyWork({ ...world.deps, dueTickets }, ticket)).rejects.toThrow('The table is down.');
  const notifications = { ...world.deps.notifications, find: () => Promise.reject(new Error('A fault of ours.')) };
  await expect(doMoneyWork({ ...world.deps, notifications }, ticket)).rejects.toThrow('A fault of ours.');
  expect(world.loggedTimes('work_failed')).toBe(1);
  world.clock.advance(MONEY_LEASE);
  expect(await invoke(ticket, { family: 'payments' }, 'nonsense')).toEqual(['message 1', 'message 2']);
  expect(await world.recordedAmounts()).toEqual([250_075]);
});
