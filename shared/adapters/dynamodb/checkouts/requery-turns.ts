import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '#shared/adapters/dynamodb/table/conditional-write.ts';
import { requeryTurnKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { MINUTE, type Millis, unixSeconds } from '#shared/domain/kernel/time.ts';
import type { RequeryTurns } from '#shared/ports/checkouts.ts';

/** Turns of requeries, one item a checkout, which goes a minute after it was last used. */
export const requeryTurns = (table: Table): RequeryTurns => {
  /** Moves the end of a turn. False when the condition did not hold. */
  const move = (
    reference: string,
    to: { until: Millis; keptFrom: Millis },
    condition: string,
    value: Millis,
  ): Promise<boolean> => {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: requeryTurnKey(reference),
      UpdateExpression: 'SET turnUntil = :until, #ttl = :ttl',
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':until': to.until, ':ttl': unixSeconds(to.keptFrom + MINUTE), ':value': value },
    });
    return conditionHeld(table.client.send(update));
  };

  return {
    begin: (reference, until, now) =>
      move(reference, { until, keptFrom: until }, 'attribute_not_exists(pk) OR turnUntil <= :value', now),
    end: async (reference, until) => {
      await move(reference, { until: 0, keptFrom: until }, 'turnUntil = :value', until);
    },
  };
};
