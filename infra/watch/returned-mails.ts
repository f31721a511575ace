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
 * Has SES tell the alarms' topic of mails that came back, and of readers who complained: whoever is not reached cannot sign in, and AWS stops
 * an account whose mails come back. A message names the reader and the subject, which holds no code.
 */
export const addReturnedMails = (scope: Construct, stage: string, topic: ITopic): void => {
  // By its name: the dashboard's stack makes it.
  const configurationSet = ConfigurationSet.fromConfigurationSetName(scope, 'MailSet', mailConfigurationSetName(stage));
  new ConfigurationSetEventDestination(scope, 'ReturnedMails', {
    configurationSet,
    destination: EventDestination.snsTopic(topic),
    events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
  });
};
