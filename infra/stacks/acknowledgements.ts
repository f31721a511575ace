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

/** The stacks of a stage. */
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

/** A finding of cdk-nag that we know and leave as it is, where it is made, and why. */
export interface Acknowledgement {
  readonly id: string;
  readonly reason: string;
  readonly where: (stacks: Stacks) => readonly IConstruct[];
}

const triggeredBy =
  (...kinds: ServiceFunction['spec']['trigger']['kind'][]) =>
  (stacks: Stacks): readonly IConstruct[] =>
    listFunctions(stacks).filter(({ spec }) => kinds.includes(spec.trigger.kind));

/** All of them. `nag.test.ts` fails when one is not needed any more. */
export const ACKNOWLEDGEMENTS: readonly Acknowledgement[] = [
  {
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason:
      'The hash key stays for the life of a stage: what it keys could not be found again. Other keys are rotated by hand, after a leak. Provider credentials are rotated at the provider, by hand; the functions notice a new value within minutes.',
    where: ({ data: { hashKey, keys, providerSecrets } }) => [
      hashKey,
      ...Object.values(keys),
      ...Object.values(providerSecrets),
    ],
  },
  {
    id: 'AwsSolutions::AwsSolutions-APIG4',
    reason:
      'The functions authorize: every endpoint by API key, IP whitelist and mode in the shared Middy stack, notifications by their signature. Health and unknown paths are open to all. An authorizer would be one more call in sequence.',
    where: ({ api }) => [api.publicApi],
  },
  {
    id: 'Serverless::Serverless-SQSRedrivePolicy',
    reason: 'These queues are the dead letters of the delivery queues.',
    where: ({ data: { queues } }) => Object.values(queues).map(({ deadLetters }) => deadLetters),
  },
  ...['AwsSolutions::AwsSolutions-SQS3', 'Serverless::Serverless-SQSRedrivePolicy'].map((id) => ({
    id,
    reason: 'A code that could not be mailed within ten minutes works no more; its user asks for another.',
    where: ({ dashboard }: Stacks) => (dashboard ? [dashboard.mails] : []),
  })),
  ...['identity', 'configuration-set'].map((kind) => ({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:${kind}/*]`,
    reason:
      'SES asks for a right on the identity of whoever is written to, where the account has it: always so in its sandbox. The sender is fixed by a condition.',
    where: (stacks: Stacks) =>
      listFunctions(stacks).filter((serviceFunction) => variableNames(serviceFunction.spec).includes('MAIL_FROM')),
  })),
  {
    id: 'Serverless::Serverless-LambdaDLQ',
    reason: 'Its caller waits for the answer, so nothing can be lost on the way to it.',
    where: triggeredBy('endpoint', 'route'),
  },
  {
    id: 'Serverless::Serverless-LambdaDLQ',
    reason: 'Its queues have dead letters of their own.',
    where: triggeredBy('queue', 'mails'),
  },
  {
    id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
    reason: 'Destinations are for streams: what fails in a queue goes to its dead letters.',
    where: (stacks) => [...triggeredBy('queue')(stacks), ...(stacks.dashboard ? [stacks.dashboard.sending] : [])],
  },
  ...['Serverless-LambdaDLQ', 'Serverless-LambdaAsyncFailureDestination', 'Serverless-EventBusDLQ'].map((rule) => ({
    id: `Serverless::${rule}`,
    reason: 'A run carries nothing: what it did not do stays due in the table, and the next minute runs it again.',
    where: triggeredBy('schedule'),
  })),
  {
    id: 'Serverless::Serverless-LambdaTracing',
    reason:
      'HTTP APIs start no traces, and without the X-Ray SDK (a third of a bundle) a trace shows what log lines and metrics show already. It would cost two wildcard permissions and a fee for each trace.',
    where: listFunctions,
  },
  {
    id: 'Serverless::Serverless-SNSRedrivePolicy',
    reason:
      'Nobody would read a queue of alarm mails that could not be sent; the alarms themselves stay red in CloudWatch.',
    // None where the settings name no e-mail address.
    where: ({ watch, outside }) =>
      [watch, outside]
        .flatMap((stack) => stack?.node.findAll() ?? [])
        .filter((construct) => construct instanceof Subscription),
  },
];

/** Acknowledges these findings of cdk-nag, each at the constructs that it concerns. */
export const acknowledgeFindings = (stacks: Stacks): void => {
  for (const { id, reason, where } of ACKNOWLEDGEMENTS) {
    for (const construct of where(stacks)) Validations.of(construct).acknowledge({ id, reason });
  }
};
