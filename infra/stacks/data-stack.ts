import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { DeliveryQueue } from '#infra/constructs/delivery-queue.ts';
import type { ProviderName } from '#infra/constructs/environment.ts';
import { dataStackName, KEYS_VARIABLES, type KeysVariable } from '#infra/constructs/names.ts';
import { paymentsTable } from '#infra/constructs/payments-table.ts';
import { hashKeySecret, keysSecret, providerSecret } from '#infra/constructs/stage-secrets.ts';
import { type StageSettings, toStackEnv } from '#infra/constructs/stage-settings.ts';
import { byLane, QUEUE_LANES, type QueueLane } from '#infra/lanes.ts';
import { byProvider } from '#shared/providers/registry.ts';

/** The data that a stage must not lose: table, queues and secrets. */
export class DataStack extends Stack {
  readonly table: TableV2;
  readonly queues: Readonly<Record<QueueLane, DeliveryQueue>>;
  readonly hashKey: Secret;
  /** Secrets that contain keys. Each is under the environment variable that tells the functions the secret's name. */
  readonly keys: Readonly<Record<KeysVariable, Secret>>;
  /** Secrets of every provider, enabled or not. Otherwise disabling a provider would delete its credentials at once. */
  readonly providerSecrets: Readonly<Record<ProviderName, CfnSecret>>;

  constructor(scope: Construct, settings: StageSettings) {
    const name = dataStackName(settings.stage);
    super(scope, name, {
      stackName: name,
      description: `Payments, stage ${settings.stage}: table, queues and secrets.`,
      terminationProtection: settings.removal === 'retain',
      env: toStackEnv(settings),
    });
    this.table = paymentsTable(this, settings);
    // Every provider has a money queue, enabled or not: messages of a disabled provider must not be lost.
    this.queues = byLane(QUEUE_LANES, (lane) => new DeliveryQueue(this, settings.stage, lane));
    this.hashKey = hashKeySecret(this, settings);
    this.keys = Object.fromEntries(
      KEYS_VARIABLES.map((variable) => [variable, keysSecret(this, settings, variable)]),
    ) as Record<KeysVariable, Secret>;
    this.providerSecrets = byProvider((name, { credentialsDescription }) =>
      providerSecret(this, settings, name, credentialsDescription),
    );
  }
}
