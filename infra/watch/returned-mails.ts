import {
  ConfigurationSet,
  ConfigurationSetEventDestination,
  EmailSendingEvent,
  EventDestination,
} from 'aws-cdk-lib/aws-ses';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { mailConfigurationSetName } from '#infra/constructs/names.ts';

/**
 * Lets SES notify the alarms' topic of returned mails and of complaints: a member who gets no mail cannot sign in, and AWS blocks accounts
 * with many returned mails. The message has the recipient and the subject, which contains no code.
 */
export const addReturnedMails = (scope: Construct, stage: string, topic: ITopic): void => {
  // The dashboard's CDK stack creates the configuration set, so this stack refers to it by name.
  const configurationSet = ConfigurationSet.fromConfigurationSetName(scope, 'MailSet', mailConfigurationSetName(stage));
  new ConfigurationSetEventDestination(scope, 'ReturnedMails', {
    configurationSet,
    destination: EventDestination.snsTopic(topic),
    events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
  });
};
