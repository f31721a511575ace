import { tracingChannel } from 'node:diagnostics_channel';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { RUNNING } from '#infra/local/lambda/lambda.ts';

/* `node --import` loads this into a local stack, before the stack's own code. Every function then also calls DeleteTable, which no role allows. */

const deleteTable = (): void => {
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  client.send(new DeleteTableCommand({ TableName: 'payments-that-nobody-has' })).catch(() => {});
};
tracingChannel(RUNNING).start.subscribe(deleteTable);
