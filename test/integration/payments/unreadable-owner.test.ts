import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '#shared/platform/table/table.ts';
import { inNoRole } from '#test/support/permissions/roles.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

openWorldForEachTest();

const PROVIDER = 'korapay';
const put = (item: Item) =>
  inNoRole(() => world.table.client.send(new PutCommand({ TableName: world.table.name, Item: item })));

test('money of an unreadable checkout is neither lost nor unmatched, and is recorded when the checkout can be read', async () => {
  const { held, deliver } = await world.holdNotifications(PROVIDER);
  const { reference } = await merchant.paidCheckout(PROVIDER);
  await held();
  const [before] = await world.itemsOf('CHK');
  await put({ ...before, status: 'disputed' });
  await deliver();
  await world.minutesPass(3);
  expect(await world.unmatched()).toEqual([]);
  expect(await world.itemsOf('PAY')).toEqual([]);
  const reasons = (await world.itemsOf('NTF')).map(({ why }) => why);
  expect(new Set(reasons)).toEqual(new Set(['record_unreadable']));
  await put(before as Item);
  await world.minutesPass(12);
  expect(await merchant.statusOf(reference)).toBe('paid');
  expect(await world.recordedAmounts()).toEqual([850_000]);
});
