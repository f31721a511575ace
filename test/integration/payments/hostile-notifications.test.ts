import { createHmac } from 'node:crypto';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { receiveNotification } from '#test/support/worlds/handlers.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';

/* Tests bodies that a provider signed, but that are no known notification. No body is lost, and no log or answer shows a body. */

openWorldForEachTest();

const NAME = 'Chidiebere Planted';
const BVN = '22233344455';

const stage = () => ({ ...world.deps, operator: async () => 'bisi' });
const listStuck = async () => (await runOpsAsJson(stage(), 'notification', 'list')).notifications;
const HEADERS = { paystack: 'x-paystack-signature', monnify: 'monnify-signature' } as const;
type Signing = keyof typeof HEADERS;

/** Sends bytes with the provider's signature over them, and lets their consumer work. */
const receive = async (provider: Signing, raw: Buffer, changes: Partial<typeof world.deps> = {}): Promise<number> => {
  const signature = createHmac('sha512', world.simulator.credentials[provider].secretKey).update(raw).digest('hex');
  const event = apiEvent({
    method: 'POST',
    path: `/providers/${provider}/notifications`,
    params: { provider },
    headers: { 'content-type': 'application/json', [HEADERS[provider]]: signature },
  });
  const handler = receiveNotification({ ...world.deps, ...changes });
  const answer = await handler({ ...event, body: raw.toString('base64'), isBase64Encoded: true }, lambdaContext());
  await world.consumeMoney([provider], changes);
  return answer.statusCode;
};

const planted = `"sender_name":"${NAME}","bvn":"${BVN}"`;
const bodies: readonly [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['no JSON', Buffer.from(`${NAME} ${BVN}`)],
  ['JSON that is cut off', Buffer.from(`{"event":"charge.success","data":{${planted}`)],
  ['a list', Buffer.from(`[{${planted}}]`)],
  ['null', Buffer.from('null')],
  [
    'a reference that is no UTF-8',
    Buffer.concat([
      Buffer.from(
        `{"event":"charge.success","eventType":"SUCCESSFUL_TRANSACTION",${planted},"data":{"channel":"bank_transfer","reference":"`,
      ),
      Buffer.from([0xff, 0xc0]),
      Buffer.from('"},"eventData":{"transactionReference":"'),
      Buffer.from([0xff, 0xc0]),
      Buffer.from('"}}'),
    ]),
  ],
  [
    'thousands of levels',
    Buffer.from(
      `{"event":"charge.success","eventType":"SUCCESSFUL_TRANSACTION",${planted},"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ),
  ],
];

describe.each(['paystack', 'monnify'] as const)('a signed body of %s that holds', (provider) => {
  test.each(bodies)(
    '%s appears on the operators’ list at once, and its content in no log and no answer',
    async (_, raw) => {
      expect(await receive(provider, raw)).toBe(200);
      const [entry, ...more] = await listStuck();
      expect(more).toEqual([]);
      expect(entry).toMatchObject({ provider, why: 'notification_unreadable', from: 'provider' });
      const shown = [
        await runOpsAsText(stage(), 'notification', 'list'),
        await runOpsAsText(stage(), 'notification', 'show', entry.id),
        JSON.stringify(await runOpsAsJson(stage(), 'notification', 'retry', entry.id)),
        JSON.stringify(world.logged),
      ].join('\n');
      expect(shown).not.toContain(NAME);
      expect(shown).not.toContain(BVN);
      expect(await listStuck()).toHaveLength(1);
      await runOpsAsJson(stage(), 'notification', 'dismiss', entry.id);
      expect(await listStuck()).toEqual([]);
      // The notification stays dismissed if the provider repeats it.
      expect(await receive(provider, raw)).toBe(200);
      expect(await listStuck()).toEqual([]);
    },
  );
});

test('money of a dismissed notification is recorded by any later report, and the list stays empty', async () => {
  const { held } = await world.holdNotifications('paystack');
  const account = await merchant.account('paystack');
  await world.pay('paystack', account.accountNumber, 250_075);
  const [sent] = await held();
  const body = sent?.body ?? '';
  const withoutProvider = {
    ...world.scripted('paystack', () => ({ lookUp: async () => 'unknown' })),
    ...world.withoutReconciliation(),
  };
  expect(await receive('paystack', Buffer.from(body), withoutProvider)).toBe(200);
  await world.minutesPass(60, 5, withoutProvider);
  const [{ id }] = await listStuck();
  await runOpsAsJson(stage(), 'notification', 'dismiss', id);
  await world.minutesPass(30, 5, withoutProvider);
  expect(await receive('paystack', Buffer.from(body))).toBe(200);
  expect([await listStuck(), await world.recordedAmounts()]).toEqual([[], []]);
  // Other bytes of the same event are another notification.
  expect(await receive('paystack', Buffer.from(`${body} `))).toBe(200);
  expect([await listStuck(), await world.recordedAmounts()]).toEqual([[], [250_075]]);
});

test.each([
  'x',
  'paystack',
  'paystack:',
  `paystack:${'z'.repeat(64)}`,
  `wema:${'0'.repeat(64)}`,
  '__proto__:x',
  ':',
  '',
])('the operators’ commands reject %j as the id of a stuck notification', async (id) => {
  for (const command of ['show', 'retry', 'dismiss']) {
    await expect(runOpsAsJson(stage(), 'notification', command, id)).rejects.toThrow(/There is no stuck notification/);
  }
  expect(await world.itemsOf('LOG#')).toEqual([]);
});
