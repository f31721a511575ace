import { CfnOutput, Lazy, Stack } from 'aws-cdk-lib';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import {
  enabledProviders,
  providerSecrets,
  type StageVariables,
  stageVariables,
} from '#infra/constructs/environment.ts';
import { apiStackName, KEYS_VARIABLES, type KeysVariable } from '#infra/constructs/names.ts';
import type { AccessibleResources } from '#infra/constructs/permissions.ts';
import { PublicApi } from '#infra/constructs/public-api.ts';
import { ServiceFunction } from '#infra/constructs/service-function.ts';
import { accountOf, type StageSettings } from '#infra/constructs/stage-settings.ts';
import { consume, schedule } from '#infra/constructs/triggers.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import type { DataStack } from './data-stack.ts';

/** What the stack of the API is made of. */
export interface ApiStackProps {
  readonly settings: StageSettings;
  readonly data: DataStack;
  /** The folder that holds a function's built code. */
  readonly folderOf: (functionName: string) => string;
}

/** What can be made again at any time: the API, its functions, and what calls them. */
export class ApiStack extends Stack {
  readonly functions: readonly ServiceFunction[];
  readonly publicApi: PublicApi;
  /** What the functions of the stage may be given, and their variables: the dashboard's get them too. */
  readonly resources: AccessibleResources;
  readonly variables: StageVariables;

  constructor(scope: Construct, { settings, data, folderOf }: ApiStackProps) {
    const name = apiStackName(settings.stage);
    super(scope, name, {
      stackName: name,
      description: `Payments, stage ${settings.stage}: API and functions.`,
      terminationProtection: settings.removal === 'retain',
      env: accountOf(settings),
    });
    const { first, retry, slow, test } = data.queues;
    this.resources = {
      table: settings.restoredTable ? TableV2.fromTableName(this, 'RestoredTable', settings.restoredTable) : data.table,
      queues: { first: first.queue, retry: retry.queue, slow: slow.queue, test: test.queue },
      keys: Object.fromEntries(KEYS_VARIABLES.map((variable) => [variable, data.keys[variable].secretArn])) as Record<
        KeysVariable,
        string
      >,
      providerSecrets: enabledProviders(settings).map((provider) => data.providerSecrets[provider].ref),
    };
    this.variables = stageVariables(settings, {
      tableName: this.resources.table.tableName,
      queueUrls: {
        first: first.queue.queueUrl,
        retry: retry.queue.queueUrl,
        slow: slow.queue.queueUrl,
        test: test.queue.queueUrl,
      },
      // A reference that CloudFormation resolves as it deploys: neither the template nor its parameters ever hold the key, and
      // no cold start pays for a call and a client to read it. Anybody who may read a function's settings can see it, as the role can.
      hashKey: data.hashKey.secretValue.unsafeUnwrap(),
      // The API is made after the functions that it calls.
      baseUrl: Lazy.string({ produce: () => this.publicApi.baseUrl }),
    });
    const { resources, variables } = this;
    this.functions = FUNCTIONS.map(
      (spec) => new ServiceFunction(this, { settings, spec, folder: folderOf(spec.name), variables, resources }),
    );
    for (const serviceFunction of this.functions) {
      consume(serviceFunction, settings, resources);
      schedule(serviceFunction);
    }
    this.publicApi = new PublicApi(this, settings, this.functions);
    this.#addOutputs({
      BaseUrl: this.publicApi.baseUrl,
      TableName: variables.TABLE_NAME,
      DueShards: variables.DUE_SHARDS,
      FirstQueueUrl: variables.FIRST_QUEUE_URL,
      RetryQueueUrl: variables.RETRY_QUEUE_URL,
      SlowQueueUrl: variables.SLOW_QUEUE_URL,
      TestQueueUrl: variables.TEST_QUEUE_URL,
      FirstDeadLetterQueueUrl: first.deadLetters.queueUrl,
      RetryDeadLetterQueueUrl: retry.deadLetters.queueUrl,
      SlowDeadLetterQueueUrl: slow.deadLetters.queueUrl,
      TestDeadLetterQueueUrl: test.deadLetters.queueUrl,
      // The deployment cannot know whether they hold credentials: `ops provider list` shows it.
      ProviderSecrets: JSON.stringify(providerSecrets(settings)),
    });
  }

  /** The outputs that the operations command and the tests read. */
  #addOutputs(outputs: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
