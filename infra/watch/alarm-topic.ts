import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { nameOf } from '#infra/constructs/names.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';

const CLOUDWATCH = new ServicePrincipal('cloudwatch.amazonaws.com');

/** The shortest that AWS allows: the key guards nothing that outlives the topic. */
const KEY_DELETION = Duration.days(7);

/**
 * A key of our own: under the one that AWS manages for SNS, CloudWatch may not publish, and alarms would reach nobody
 * (<https://repost.aws/knowledge-center/cloudwatch-configure-alarm-sns>).
 */
const topicKey = (scope: Construct, stage: string): Key => {
  const key = new Key(scope, 'TopicKey', {
    description: `Encrypts the alarms of stage ${stage} on their way.`,
    enableKeyRotation: true,
    pendingWindow: KEY_DELETION,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [CLOUDWATCH],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      // In the policy of a key this means that key alone.
      resources: ['*'],
    }),
  );
  return key;
};

/** Its policy takes the place of the one that a topic has by default, so the alarms of this stage must be let in by name. */
const ownTopic = (scope: Construct, { stage, removal }: StageSettings): Topic => {
  const topic = new Topic(scope, 'Topic', {
    topicName: nameOf(stage, 'alarms'),
    // A key that is deleted waits a week, and a stage that may go leaves nothing behind. An alarm's text names no person and no payment.
    ...(removal === 'retain' && { masterKey: topicKey(scope, stage) }),
    enforceSSL: true,
  });
  const alarms = Stack.of(scope).formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: nameOf(stage, '*'),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [CLOUDWATCH],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { ArnLike: { 'aws:SourceArn': alarms } },
    }),
  );
  return topic;
};

/**
 * The one topic that all alarms notify: the operator's own where the settings name one, or one of the stage, which takes messages
 * over TLS only, and keeps them encrypted in a stage that is there to stay.
 */
export const alarmTopic = (scope: Construct, settings: StageSettings): ITopic => {
  const { alarms } = settings;
  if (alarms && 'topicArn' in alarms) return Topic.fromTopicArn(scope, 'Topic', alarms.topicArn);
  const topic = ownTopic(scope, settings);
  if (alarms) {
    new Subscription(scope, 'Email', {
      topic,
      protocol: SubscriptionProtocol.EMAIL,
      endpoint: alarms.email,
    });
  }
  return topic;
};
