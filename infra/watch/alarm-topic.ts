import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { resourceName } from '#infra/constructs/names.ts';
import { findOutsideTopic, type StageSettings } from '#infra/constructs/stage-settings.ts';

const CLOUDWATCH = new ServicePrincipal('cloudwatch.amazonaws.com');
const SES = new ServicePrincipal('ses.amazonaws.com');

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
      principals: [CLOUDWATCH, SES],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      // In the policy of a key this means that key alone.
      resources: ['*'],
    }),
  );
  return key;
};

/** Its policy takes the place of the one that a topic has by default, so the alarms of this stage must be let in by name. */
const ownTopic = (scope: Construct, stage: string, what: string, masterKey?: Key): Topic => {
  const topic = new Topic(scope, 'Topic', {
    topicName: resourceName(stage, what),
    ...(masterKey && { masterKey }),
    enforceSSL: true,
  });
  const alarms = Stack.of(scope).formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: resourceName(stage, '*'),
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

const subscribe = (scope: Construct, topic: ITopic, { alarms }: StageSettings): void => {
  if (!alarms || !('email' in alarms)) return;
  new Subscription(scope, 'Email', { topic, protocol: SubscriptionProtocol.EMAIL, endpoint: alarms.email });
};

/**
 * The one topic that all alarms of the stage's region notify: the operator's own where the settings name one, or one of the stage, which takes
 * messages over TLS only, and keeps them encrypted in a stage that is there to stay.
 */
export const alarmTopic = (scope: Construct, settings: StageSettings): ITopic => {
  const { alarms, stage, removal } = settings;
  if (alarms && 'topicArn' in alarms) return Topic.fromTopicArn(scope, 'Topic', alarms.topicArn);
  // A key that is deleted waits a week, and a stage that may go leaves nothing behind. An alarm's text names no person and no payment; that of a bounce names a member.
  const topic = ownTopic(scope, stage, 'alarms', removal === 'retain' ? topicKey(scope, stage) : undefined);
  subscribe(scope, topic, settings);
  return topic;
};

/** The topic of the one alarm in us-east-1, since an alarm notifies topics of its own region only. */
export const outsideTopic = (scope: Construct, settings: StageSettings): ITopic => {
  const topicArn = findOutsideTopic(settings);
  if (topicArn !== undefined) return Topic.fromTopicArn(scope, 'Topic', topicArn);
  const topic = ownTopic(scope, settings.stage, 'outside');
  subscribe(scope, topic, settings);
  return topic;
};
