import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { PaymentOwner } from '#shared/payments/domain/payment.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { readableItems } from '#shared/platform/table/readable.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import type { AccountNumbers } from '#shared/virtual-accounts/ports.ts';
import { OPENED, RESERVED, receivingAccountKey } from '#shared/virtual-accounts/store/keys.ts';

/** The most checkouts that are read from a partition: the newest ones. */
const MAX_OWNERS = 50;

const pointer = z.union([
  z.pipe(
    z.object({ virtualAccountId: text }),
    z.transform(({ virtualAccountId: id }) => ({ kind: 'virtual_account' as const, id })),
  ),
  z.pipe(
    z.object({ reference: text }),
    z.transform(({ reference }) => ({ kind: 'checkout' as const, reference })),
  ),
]);

/** Reads the items of a partition whose sort key begins with a text, newest first. */
const readPointers = async (table: Table, partition: string, begin: string): Promise<PaymentOwner[]> => {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :begin)',
      ExpressionAttributeValues: { ':pk': partition, ':begin': begin },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: MAX_OWNERS,
    }),
  );
  return readableItems(table, pointer, Items);
};

/** Reads the former and present owners of a number. It makes two queries, so that many checkouts cannot hide the virtual account. */
const readOwners = async (table: Table, partition: string): Promise<PaymentOwner[]> =>
  (await Promise.all([OPENED, RESERVED].map((begin) => readPointers(table, partition, begin)))).flat();

/** Finds owners of account numbers in the table. A test number has one partition, a live number one for each provider. */
export const accountNumbers = (table: Table): AccountNumbers => ({
  findOwners: async (mode, accountNumber) => {
    const partitions = new Set(providerName.options.map((name) => receivingAccountKey(mode, name, accountNumber).pk));
    return (await Promise.all([...partitions].map((partition) => readOwners(table, partition)))).flat();
  },
});
