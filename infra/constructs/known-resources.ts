import { ArnFormat, Stack } from 'aws-cdk-lib';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { resourceName, tableName } from './names.ts';
import type { StageSettings } from './stage-settings.ts';

/*
 * Refers by name to resources of another CDK stack of the stage. A CDK reference would become an export, which the other stack could not
 * change or delete while this stack uses it.
 */

/** The table that the functions use: the stage's own, or the restored table in its settings. */
export const knownTable = (scope: Construct, { stage, restoredTable }: StageSettings) =>
  TableV2.fromTableName(scope, 'Table', restoredTable ?? tableName(stage));

/** A queue of the stage. `name` is its full name at AWS. */
export const knownQueue = (scope: Construct, name: string): IQueue =>
  Queue.fromQueueArn(
    scope,
    `${name}-queue`,
    Stack.of(scope).formatArn({ service: 'sqs', resource: name, arnFormat: ArnFormat.NO_RESOURCE_NAME }),
  );

/** The ARN pattern of a secret: Secrets Manager adds a hyphen and six random characters to its name. */
export const knownSecretArn = (scope: Construct, name: string): string =>
  Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** A function of the stage. */
export const knownFunction = (scope: Construct, stage: string, name: string): IFunction =>
  LambdaFunction.fromFunctionAttributes(scope, name, {
    functionArn: Stack.of(scope).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: resourceName(stage, name),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
    // True, because a stage is in one account and region. CDK then adds the permission with which API Gateway may call the function.
    sameEnvironment: true,
  });
