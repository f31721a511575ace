import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { resourceName } from '#infra/constructs/names.ts';
import { findOutsideTopic, type StageSettings } from '#infra/constructs/stage-settings.ts';

const CLOUDWATCH = new ServicePrincipal('cloudwatch.amazonaws.com');
const SES = new ServicePrincipal('ses.amazonaws.com');

/** How long a deleted key can be restored: the shortest time that AWS allows. The key is not needed again, because its data ends with the topic. */
const KEY_DELETION_WAIT = Duration.days(7);

/**
 * Creates a key of our own: with the key that AWS manages for SNS, CloudWatch cannot publish, and alarms would reach nobody
 * (<https://repost.aws/knowledge-center/cloudwatch-configure-alarm-sns>).
 */
const topicKey = (scope: Construct, stage: string): Key => {
  const key = new Key(scope, 'TopicKey', {
    description: `Encrypts the alarm messages of stage ${stage}.`,
    enableKeyRotation: true,
    pendingWindow: KEY_DELETION_WAIT,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [CLOUDWATCH, SES],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      // In a key's policy, `*` means only this key.
      resources: ['*'],
    }),
  );
  return key;
};

/** Creates a topic. Its policy replaces the default one, so it must allow the alarms of this stage explicitly. */
const createTopic = (scope: Construct, stage: string, name: string, masterKey?: Key): Topic => {
  const topic = new Topic(scope, 'Topic', {
    topicName: resourceName(stage, name),
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
 * The topic of all alarms in the stage's region: the operator's own, if the settings have one, or a new one. A new topic takes messages only
 * over TLS. It encrypts them if the stage retains data.
 */
export const alarmTopic = (scope: Construct, settings: StageSettings): ITopic => {
  const { alarms, stage, removal } = settings;
  if (alarms && 'topicArn' in alarms) return Topic.fromTopicArn(scope, 'Topic', alarms.topicArn);
  // Messages about returned mails name a member, so a stage that retains data encrypts them. Any other stage has no key: its deletion must
  // leave nothing behind, but a deleted key stays for a week.
  const topic = createTopic(scope, stage, 'alarms', removal === 'retain' ? topicKey(scope, stage) : undefined);
  subscribe(scope, topic, settings);
  return topic;
};

/** The topic of the only alarm in us-east-1: an alarm can notify only topics of its own region. */
export const outsideTopic = (scope: Construct, settings: StageSettings): ITopic => {
  const topicArn = findOutsideTopic(settings);
  if (topicArn !== undefined) return Topic.fromTopicArn(scope, 'Topic', topicArn);
  const topic = createTopic(scope, settings.stage, 'outside');
  subscribe(scope, topic, settings);
  return topic;
};
