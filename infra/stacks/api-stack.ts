import { CfnOutput, Lazy, SecretValue, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { providerSecrets, type StageVariables, stageVariables } from '#infra/constructs/environment.ts';
import { knownFunction, knownQueue, knownSecretArn, knownTable } from '#infra/constructs/known-resources.ts';
import {
  apiStackName,
  hashKeyName,
  KEYS_VARIABLES,
  type KeysVariable,
  keysName,
  resourceName,
} from '#infra/constructs/names.ts';

import type { AccessibleResources } from '#infra/constructs/permissions.ts';
import { PublicApi } from '#infra/constructs/public-api.ts';
import { ServiceFunction } from '#infra/constructs/service-function.ts';
import { type StageSettings, toStackEnv } from '#infra/constructs/stage-settings.ts';
import { consume, schedule } from '#infra/constructs/triggers.ts';
import { DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { listRoutes } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { byLane, MONEY_PREFIX, QUEUE_LANES } from '#infra/lanes.ts';
import { nameDeadLetterQueue } from '#infra/queues.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';

/** Properties of the API's CDK stack. */
export interface ApiStackProps {
  readonly settings: StageSettings;
  /** Returns the folder with a function's built code. */
  readonly findFolder: (functionName: string) => string;
}

/** The API, its functions and their triggers. All of it can be created again at any time. */
export class ApiStack extends Stack {
  readonly functions: readonly ServiceFunction[];
  readonly publicApi: PublicApi;
  /** Resources for the functions of the stage, also for those of the dashboard. */
  readonly resources: AccessibleResources;
  /** Environment variables for the functions of the stage, also for those of the dashboard. */
  readonly variables: StageVariables;

  constructor(scope: Construct, { settings, findFolder }: ApiStackProps) {
    const name = apiStackName(settings.stage);
    super(scope, name, {
      stackName: name,
      description: `Payments, stage ${settings.stage}: API and functions.`,
      terminationProtection: settings.removal === 'retain',
      env: toStackEnv(settings),
    });
    const findDeadLetters = (lane: Lane) => knownQueue(this, nameDeadLetterQueue(resourceName(settings.stage, lane)));
    const queues = byLane(QUEUE_LANES, (lane) => knownQueue(this, resourceName(settings.stage, lane)));
    this.resources = {
      table: knownTable(this, settings),
      queues,
      keys: Object.fromEntries(
        KEYS_VARIABLES.map((variable) => [variable, knownSecretArn(this, keysName(settings.stage, variable))]),
      ) as Record<KeysVariable, string>,
      providerSecrets: Object.values(providerSecrets(settings)).map((secret) => knownSecretArn(this, secret)),
    };
    this.variables = stageVariables(settings, {
      tableName: this.resources.table.tableName,
      queueUrls: {
        first: queues.first.queueUrl,
        retry: queues.retry.queueUrl,
        slow: queues.slow.queueUrl,
        test: queues.test.queueUrl,
      },
      // No queue has this URL, but the URL of each provider's queue begins with it.
      moneyQueuesUrl: knownQueue(this, resourceName(settings.stage, MONEY_PREFIX)).queueUrl,
      // CloudFormation resolves this reference during the deployment, so the key is never in the template or its parameters, and no
      // cold start has to read it. Everybody who may read a function's settings can see the key.
      hashKey: SecretValue.secretsManager(hashKeyName(settings.stage)).unsafeUnwrap(),
      // Lazy, because the API is created after the functions that it calls.
      baseUrl: Lazy.string({ produce: () => this.publicApi.baseUrl }),
    });
    const { resources, variables } = this;
    this.functions = FUNCTIONS.map(
      (spec) => new ServiceFunction(this, { settings, spec, folder: findFolder(spec.name), variables, resources }),
    );
    for (const serviceFunction of this.functions) {
      consume(serviceFunction, settings, resources);
      schedule(serviceFunction, settings);
    }
    // A throttle belongs to the gateway's stage, which rejects throttles of routes that do not exist yet. So the dashboard's routes are
    // created here, too.
    const dashboardSpecs = settings.mail
      ? DASHBOARD_FUNCTIONS.filter(({ trigger }) => listRoutes(trigger).length > 0)
      : [];
    this.publicApi = new PublicApi(this, settings, [
      ...this.functions,
      ...dashboardSpecs.map((spec) => ({ spec, lambda: knownFunction(this, settings.stage, spec.name) })),
    ]);
    this.#addOutputs({
      BaseUrl: this.publicApi.baseUrl,
      TableName: variables.TABLE_NAME,
      DueShards: variables.DUE_SHARDS,
      FirstQueueUrl: variables.FIRST_QUEUE_URL,
      RetryQueueUrl: variables.RETRY_QUEUE_URL,
      SlowQueueUrl: variables.SLOW_QUEUE_URL,
      TestQueueUrl: variables.TEST_QUEUE_URL,
      MoneyQueuesUrl: variables.MONEY_QUEUES_URL,
      FirstDeadLetterQueueUrl: findDeadLetters('first').queueUrl,
      RetryDeadLetterQueueUrl: findDeadLetters('retry').queueUrl,
      SlowDeadLetterQueueUrl: findDeadLetters('slow').queueUrl,
      TestDeadLetterQueueUrl: findDeadLetters('test').queueUrl,
      // The deployment cannot know whether the secrets have credentials. `ops provider list` shows that.
      ProviderSecrets: JSON.stringify(providerSecrets(settings)),
    });
  }

  /** Adds the outputs that the operations command and the tests read. */
  #addOutputs(outputs: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
