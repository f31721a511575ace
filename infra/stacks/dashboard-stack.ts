import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { dashboardStackName, mailConfigurationSetName, resourceName } from '#infra/constructs/names.ts';
import { ServiceFunction } from '#infra/constructs/service-function.ts';
import { type StageSettings, toStackEnv } from '#infra/constructs/stage-settings.ts';
import { schedule } from '#infra/constructs/triggers.ts';
import { DASHBOARD_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { visibilitySeconds } from '#infra/queues.ts';
import type { ApiStack } from './api-stack.ts';

/** Properties of the dashboard's CDK stack. */
export interface DashboardStackProps {
  readonly settings: StageSettings & { readonly mail: NonNullable<StageSettings['mail']> };
  readonly api: ApiStack;
  readonly findFolder: (functionName: string) => string;
}

/**
 * Mails in one batch. Few, because SES lets a new account send only one mail per second. The batch size in the manifest is only for the local
 * stack.
 */
const MAILS_AT_ONCE = 2;

/** The functions of the dashboard, and the queue of codes. The dashboard's routes are in the API's CDK stack, which is deployed after this one. */
export class DashboardStack extends Stack {
  readonly functions: readonly ServiceFunction[];
  readonly mails: Queue;
  /** Passes mails from the queue to the function that sends them. */
  readonly mailSource: EventSourceMapping;

  constructor(scope: Construct, { settings, api, findFolder }: DashboardStackProps) {
    const name = dashboardStackName(settings.stage);
    super(scope, name, {
      stackName: name,
      description: `Payments, stage ${settings.stage}: the dashboard of businesses.`,
      terminationProtection: settings.removal === 'retain',
      env: toStackEnv(settings),
    });
    // Messages are kept as long as a code works. There is no dead-letter queue: a user who got no code asks for another.
    this.mails = new Queue(this, 'Mails', {
      queueName: resourceName(settings.stage, 'codes'),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.minutes(10),
      visibilityTimeout: Duration.seconds(visibilitySeconds('codes')),
    });
    const resources = {
      ...api.resources,
      mail: {
        queue: this.mails,
        from: settings.mail.from,
        // SES needs permissions on the sender's identity, on the recipient's if the account has verified it, and on the configuration set.
        sendingArns: ['identity', 'configuration-set'].map(
          (kind) => `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:${kind}/*`,
        ),
      },
    };
    const { configurationSetName } = new ConfigurationSet(this, 'MailSet', {
      configurationSetName: mailConfigurationSetName(settings.stage),
    });
    const variables = {
      ...api.variables,
      CODE_QUEUE_URL: this.mails.queueUrl,
      // Empty without a domain: the API's address is not known yet, because the API's CDK stack is deployed after this one. Then mails have no
      // link to the dashboard.
      SIGN_IN_URL: settings.domain ? `https://${settings.domain.name}/dashboard` : '',
      MAIL_FROM: settings.mail.from,
      MAIL_CONFIGURATION_SET: configurationSetName,
    };
    this.functions = DASHBOARD_FUNCTIONS.map(
      (spec) => new ServiceFunction(this, { settings, spec, folder: findFolder(spec.name), variables, resources }),
    );
    for (const serviceFunction of this.functions) schedule(serviceFunction, settings);
    const sender = this.functions.find(({ spec }) => spec.trigger.kind === 'mails');
    if (!sender) throw new Error('The manifest has no function that sends mails.');
    this.mailSource = new EventSourceMapping(this, 'Sends', {
      target: sender.lambda,
      eventSourceArn: this.mails.queueArn,
      batchSize: MAILS_AT_ONCE,
      reportBatchItemFailures: true,
      maxConcurrency: 2,
    });
  }
}
