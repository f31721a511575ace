import { MINUTE } from '#shared/platform/kernel/time.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { merchant, openWorld, world } from '#test/support/worlds/live-merchant.ts';

/* SQS is fair between the groups of a queue. A business with much work must not delay the others. */

const PROVIDER = 'monnify';
let proxy: FaultProxy;
/** The groups of the sent messages, by the kind of their work. */
let groups: Map<string, string[]>;
beforeEach(async () => {
  proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_SQS ?? '');
  groups = new Map();
  proxy.inject((operation, input) => {
    if (operation !== 'SendMessageBatch') return undefined;
    for (const { MessageBody = '', MessageGroupId = '' } of (input as { Entries: Record<string, string>[] }).Entries) {
      const kind = /"pk":"([A-Z]+)#/.exec(MessageBody)?.[1] ?? '';
      groups.set(kind, [...(groups.get(kind) ?? []), MessageGroupId]);
    }
    return undefined;
  });
  await openWorld({ sqsEndpoint: proxy.endpoint });
});
afterEach(async () => {
  await world.stop();
  await proxy.stop();
});

test('the expiries of one business share a group, each notification has a group of its own, and all reconciliation shares a group', async () => {
  const checkouts = [await merchant.checkout(PROVIDER), await merchant.checkout(PROVIDER)];
  const account = await merchant.account(PROVIDER);
  for (const amount of [250_000, 175_050]) await world.pay(PROVIDER, account.accountNumber, amount);
  const latest = Math.max(...checkouts.map(({ expiresAt }) => expiresAt));
  world.clock.advance(latest + MINUTE - world.clock.now());
  await world.dispatch();
  expect(groups.get('CHK')).toEqual([merchant.business.id, merchant.business.id]);
  const notifications = groups.get('NTF') ?? [];
  expect(notifications.length).toBeGreaterThan(1);
  expect(new Set(notifications).size).toBe(notifications.length);
  expect(new Set(groups.get('RECON'))).toEqual(new Set(['reconciliation']));
});
