import { Duration } from 'aws-cdk-lib';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { LAMBDA_HANDLER } from '#infra/build/build-functions.ts';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { makeEnvironment, type StageVariables } from './environment.ts';
import { functionLogName, resourceName } from './names.ts';
import { toRemovalPolicy } from './payments-table.ts';
import { type AccessibleResources, makeRole } from './permissions.ts';
import { computeReserved } from './reserved-concurrency.ts';
import type { StageSettings } from './stage-settings.ts';

/** The parts of a function of a stage. */
export interface ServiceFunctionProps {
  readonly settings: StageSettings;
  readonly spec: FunctionSpec;
  /** The folder with the built code. */
  readonly folder: string;
  readonly variables: StageVariables;
  readonly resources: AccessibleResources;
}

/**
 * Settings of a scheduled function. Lambda does not retry a failed run, because the function runs again a minute later. The function needs no
 * reserved concurrency: its time-out is shorter than its period, and two runs at once share the work by conditional writes.
 */
const SCHEDULED_SETTINGS = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };

/** A function of the manifest, with its own role and log group. */
export class ServiceFunction extends Construct {
  readonly spec: FunctionSpec;
  readonly lambda: LambdaFunction;
  readonly logs: LogGroup;

  constructor(scope: Construct, { settings, spec, folder, variables, resources }: ServiceFunctionProps) {
    super(scope, spec.name);
    const functionName = resourceName(settings.stage, spec.name);
    const reserved = computeReserved(settings.concurrency, spec);
    this.spec = spec;
    this.logs = new LogGroup(this, 'Logs', {
      logGroupName: functionLogName(settings.stage, spec.name),
      retention: settings.logRetentionDays,
      // If the stage retains data, the log outlives its function. The rollback of a failed deployment deletes a new log, because the next
      // deployment needs its name.
      removalPolicy: toRemovalPolicy(settings),
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName,
      description: `The function of functions/${spec.name}.`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(folder),
      handler: LAMBDA_HANDLER,
      memorySize: spec.memoryMb,
      timeout: Duration.seconds(spec.timeoutSeconds),
      environment: makeEnvironment(spec, variables),
      role: makeRole(this, spec, resources, this.logs),
      logGroup: this.logs,
      loggingFormat: LoggingFormat.JSON,
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
      ...(spec.trigger.kind === 'schedule' ? SCHEDULED_SETTINGS : {}),
      // A delivery returns to its queues for each retry. Lambda would take that for a loop and stop it after 16 rounds.
      ...(spec.trigger.kind === 'queue' ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    });
  }
}
