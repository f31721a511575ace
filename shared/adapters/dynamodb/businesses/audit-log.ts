import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { memberChangeItem } from '#shared/adapters/dynamodb/members/change-item.ts';
import { memberChangesOf } from '#shared/adapters/dynamodb/table/keys.ts';
import { listPointed, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT } from '#shared/adapters/dynamodb/table/transact.ts';
import { memberChange } from '#shared/domain/businesses/member-change.ts';
import type { AuditLog } from '#shared/ports/businesses.ts';

/** The audit logs of businesses, in the table. */
export const auditLog = (table: Table): AuditLog => ({
  add: async (entry) => {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: memberChangeItem(entry),
        ConditionExpression: ABSENT.expression,
      }),
    );
  },
  list: (businessId, page) => listPointed(table, memberChange, memberChangesOf(businessId), page, (key) => key),
});
