import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { TABLE } from '#infra/table.ts';
import { tableName } from './names.ts';
import type { StageSettings } from './stage-settings.ts';

const textAttribute = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * Says what happens to data when its CDK stack is deleted. If a first deployment fails, the rollback deletes the data too, except a table
 * with deletion protection: the rollback fails on it (docs/operating/first-deployment.md says how to continue).
 */
export const toRemovalPolicy = ({ removal }: StageSettings): RemovalPolicy =>
  removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** Converts the setting for the table and for each index: the table's throughput settings do not apply to an index. */
const toWarmThroughput = ({ warmThroughput }: StageSettings) =>
  warmThroughput && {
    warmThroughput: { readUnitsPerSecond: warmThroughput.reads, writeUnitsPerSecond: warmThroughput.writes },
  };
const toMaxUnits = ({ mostThroughput }: StageSettings) =>
  mostThroughput && { maxReadRequestUnits: mostThroughput.reads, maxWriteRequestUnits: mostThroughput.writes };

/**
 * Creates the table of infra/table.ts. Other CDK stacks refer to it by name. CloudFormation never replaces a table that has a fixed name.
 * A restored table has another name (`restoredTable`).
 */
export const paymentsTable = (scope: Construct, settings: StageSettings): TableV2 =>
  new TableV2(scope, 'Table', {
    tableName: tableName(settings.stage),
    partitionKey: textAttribute(TABLE.partitionKey),
    sortKey: textAttribute(TABLE.sortKey),
    globalSecondaryIndexes: TABLE.indexes.map(({ name, partitionKey, sortKey }) => ({
      indexName: name,
      partitionKey: textAttribute(partitionKey),
      sortKey: textAttribute(sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
      ...toWarmThroughput(settings),
      ...toMaxUnits(settings),
    })),
    timeToLiveAttribute: TABLE.timeToLive,
    billing: Billing.onDemand(toMaxUnits(settings)),
    ...toWarmThroughput(settings),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: settings.removal === 'retain',
    removalPolicy: toRemovalPolicy(settings),
  });
