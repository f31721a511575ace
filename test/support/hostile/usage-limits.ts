import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readStackFile } from '#infra/local/data/stack-file.ts';

/** Resets the usage limits of a business and its endpoints: hundreds of generated requests would exceed the limits of a minute. */
export const resetUsageLimits = async (dataDir: string, ids: readonly string[]): Promise<void> => {
  const stack = readStackFile(dataDir);
  if (!stack) throw new Error('The local stack does not run any more.');
  const { dynamodbEndpoint: endpoint, accessKeyId, tableName: TableName } = stack;
  const credentials = { accessKeyId, secretAccessKey: 'local' };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }));
  for (const id of ids) {
    const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': `HAND#${id}` } };
    const { Items = [] } = await client.send(new QueryCommand({ TableName, ...query }));
    for (const { pk, sk } of Items) await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  }
  client.destroy();
};
