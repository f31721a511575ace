import { ArnFormat, Stack } from 'aws-cdk-lib';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { resourceName, tableName } from './names.ts';
import type { StageSettings } from './stage-settings.ts';

/*
 * What another stack of the stage makes, by its name. A reference would be an export, which its stack could not change or drop as long
 * as this one holds on to it.
 */

/** The table that the functions work on: the stage's own, or the restored one that its settings name. */
export const knownTable = (scope: Construct, { stage, restoredTable }: StageSettings) =>
  TableV2.fromTableName(scope, 'Table', restoredTable ?? tableName(stage));

/** A queue of the stage. `name` is what it is called by there. */
export const knownQueue = (scope: Construct, name: string): IQueue =>
  Queue.fromQueueArn(
    scope,
    `${name}-queue`,
    Stack.of(scope).formatArn({ service: 'sqs', resource: name, arnFormat: ArnFormat.NO_RESOURCE_NAME }),
  );

/** The ARN of a secret. Secrets Manager adds a hyphen and six characters to its name, which nobody knows before. */
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
    // The stage is one account and region: whoever routes to the function may let the gateway call it.
    sameEnvironment: true,
  });
