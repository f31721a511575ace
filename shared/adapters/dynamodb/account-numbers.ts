import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Mode } from '#shared/domain/mode.ts';
import { text } from '#shared/domain/parts.ts';
import type { PaymentOwner } from '#shared/domain/payment.ts';
import { providerName } from '#shared/domain/provider.ts';
import { receivingAccountKey } from './keys.ts';
import type { Table } from './table.ts';

/** Who received money under an account number. */
export interface AccountNumbers {
  /** At one provider after the other: checkouts first, the newest first; then the standing account with this number. */
  ownersOfNumber(mode: Mode, accountNumber: string): Promise<readonly PaymentOwner[]>;
}

/** Of a number that was recycled more often than this within 90 days, the newest owners are told. */
const OWNERS = 50;

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

const ownersIn = async (table: Table, partition: string): Promise<PaymentOwner[]> => {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': partition },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: OWNERS,
    }),
  );
  return Items.map((item) => pointer.parse(item));
};

/** Account numbers in the table: test numbers all stand in one partition each, live ones in one for each provider. */
export const accountNumbers = (table: Table): AccountNumbers => ({
  ownersOfNumber: async (mode, accountNumber) => {
    const partitions = new Set(providerName.options.map((name) => receivingAccountKey(mode, name, accountNumber).pk));
    return (await Promise.all([...partitions].map((partition) => ownersIn(table, partition)))).flat();
  },
});
