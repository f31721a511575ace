import { Validations } from 'aws-cdk-lib';
import { Subscription } from 'aws-cdk-lib/aws-sns';
import type { IConstruct } from 'constructs';
import { variableNames } from '#infra/constructs/environment.ts';
import type { ServiceFunction } from '#infra/constructs/service-function.ts';
import type { ApiStack } from './api-stack.ts';
import type { DashboardStack } from './dashboard-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { OutsideStack } from './outside-stack.ts';
import type { WatchStack } from './watch-stack.ts';

/** The CDK stacks of a stage. */
export interface Stacks {
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly dashboard: DashboardStack | undefined;
  readonly watch: WatchStack;
  readonly outside: OutsideStack | undefined;
}

const listFunctions = ({ api, dashboard }: Stacks): readonly ServiceFunction[] => [
  ...api.functions,
  ...(dashboard?.functions ?? []),
];

/** A finding of cdk-nag that we accept, at some constructs, with a reason. */
export interface Acknowledgement {
  readonly id: string;
  readonly reason: string;
  readonly where: (stacks: Stacks) => readonly IConstruct[];
}

const listTriggeredBy =
  (...kinds: ServiceFunction['spec']['trigger']['kind'][]) =>
  (stacks: Stacks): readonly IConstruct[] =>
    listFunctions(stacks).filter(({ spec }) => kinds.includes(spec.trigger.kind));

/** All accepted findings. `nag.test.ts` fails if one is no longer needed. */
export const ACKNOWLEDGEMENTS: readonly Acknowledgement[] = [
  {
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason:
      'The hash key is never rotated, because hashes with another key would not be found. Other keys are rotated by hand after a leak. Provider credentials are rotated by hand at the provider; the functions read a new value within minutes.',
    where: ({ data: { hashKey, keys, providerSecrets } }) => [
      hashKey,
      ...Object.values(keys),
      ...Object.values(providerSecrets),
    ],
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG4',
    reason:
      'The functions authorize requests themselves: endpoints by API key, IP whitelist and mode in the shared middleware chain, notifications by their signature. Health and unknown paths are open to everybody. An authorizer would be one more call in sequence.',
    where: ({ api }) => [api.publicApi],
  },
  {
    id: 'Serverless::Serverless-SQSRedrivePolicy',
    reason: 'These queues are the dead-letter queues of the delivery queues.',
    where: ({ data: { queues } }) => Object.values(queues).map(({ deadLetters }) => deadLetters),
  },
  ...['AwsSolutions::AwsSolutions-SQS3', 'Serverless::Serverless-SQSRedrivePolicy'].map((id) => ({
    id,
    reason: 'A code that could not be mailed within ten minutes has expired. Its user asks for another.',
    where: ({ dashboard }: Stacks) => (dashboard ? [dashboard.mails] : []),
  })),
  ...['identity', 'configuration-set'].map((kind) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:${kind}/*]`,
    reason:
      'SES needs a permission on the identity of the recipient if the account has verified it, which is always so in the SES sandbox. A condition fixes the sender.',
    where: (stacks: Stacks) =>
      listFunctions(stacks).filter((serviceFunction) => variableNames(serviceFunction.spec).includes('MAIL_FROM')),
  })),
  {
    id: 'Serverless::Serverless-LambdaDLQ',
    reason: 'The caller waits for the answer, so no event can be lost.',
    where: listTriggeredBy('endpoint', 'route'),
  },
  {
    id: 'Serverless::Serverless-LambdaDLQ',
    reason: 'A message that the function could not handle returns to its queue.',
    where: listTriggeredBy('queue', 'mails'),
  },
  {
    id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
    reason: 'Destinations are for streams. Failed messages of a queue go to its dead-letter queue.',
    where: (stacks) => [
      ...listTriggeredBy('queue')(stacks),
      ...(stacks.dashboard ? [stacks.dashboard.mailSource] : []),
    ],
  },
  ...['Serverless-LambdaDLQ', 'Serverless-LambdaAsyncFailureDestination', 'Serverless-EventBusDLQ'].map((rule) => ({
    id: `Serverless::${rule}`,
    reason:
      'The event of a run has no data. Work that was not done stays due in the table, and a run in the next minute does it.',
    where: listTriggeredBy('schedule'),
  })),
  {
    id: 'Serverless::Serverless-LambdaTracing',
    reason:
      'HTTP APIs start no traces. Without the X-Ray SDK (a third of a bundle), a trace shows only what log lines and metrics show already. Tracing needs two wildcard permissions and costs a fee for each trace.',
    where: listFunctions,
  },
  {
    id: 'Serverless::Serverless-SNSRedrivePolicy',
    reason:
      'Nobody would read a queue of alarm mails that could not be sent. The alarms themselves stay red in CloudWatch.',
    // Without an e-mail address for alarms in the settings there is no subscription.
    where: ({ watch, outside }) =>
      [watch, outside]
        .flatMap((stack) => stack?.node.findAll() ?? [])
        .filter((construct) => construct instanceof Subscription),
  },
];

/** Accepts the findings of `ACKNOWLEDGEMENTS` at their constructs. */
export const acknowledgeFindings = (stacks: Stacks): void => {
  for (const { id, reason, where } of ACKNOWLEDGEMENTS) {
    for (const construct of where(stacks)) Validations.of(construct).acknowledge({ id, reason });
  }
};
