import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { TABLE } from '#infra/table.ts';
import { tableName } from './names.ts';
import type { StageSettings } from './stage-settings.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * What happens to what must not be lost when its stack goes. A first deployment that fails takes it away again, except a table under
 * deletion protection: that one stays, and the rollback fails on it (docs/operating/first-deployment.md says how to go on).
 */
export const toRemovalPolicy = ({ removal }: StageSettings): RemovalPolicy =>
  removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** An index has limits of its own: those of the table do not hold for it. */
const warm = ({ warmThroughput }: StageSettings) =>
  warmThroughput && {
    warmThroughput: { readUnitsPerSecond: warmThroughput.reads, writeUnitsPerSecond: warmThroughput.writes },
  };
const most = ({ mostThroughput }: StageSettings) =>
  mostThroughput && { maxReadRequestUnits: mostThroughput.reads, maxWriteRequestUnits: mostThroughput.writes };

/**
 * The one table: infra/table.ts as DynamoDB keeps it in a stage. Other stacks know it by its name. CloudFormation never replaces a
 * table with a name, and a restored one has another (`restoredTable`).
 */
export const paymentsTable = (scope: Construct, settings: StageSettings): TableV2 =>
  new TableV2(scope, 'Table', {
    tableName: tableName(settings.stage),
    partitionKey: text(TABLE.partitionKey),
    sortKey: text(TABLE.sortKey),
    globalSecondaryIndexes: TABLE.indexes.map(({ name, partitionKey, sortKey }) => ({
      indexName: name,
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
      ...warm(settings),
      ...most(settings),
    })),
    timeToLiveAttribute: TABLE.timeToLive,
    billing: Billing.onDemand(most(settings)),
    ...warm(settings),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: settings.removal === 'retain',
    removalPolicy: toRemovalPolicy(settings),
  });
