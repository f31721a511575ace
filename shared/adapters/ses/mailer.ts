import { BadRequestException, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { prepareClient, timeLimits } from '#shared/adapters/aws-client.ts';
import type { SendMail } from '#shared/ports/members.ts';

const ANSWER_MS = 5_000;
const MAX_ATTEMPTS = 2;

/** Who sends, an identity that SES has verified, and the configuration set that it is sent by. */
export interface Sender {
  readonly from: string;
  readonly configurationSet: string;
}

/**
 * Sends mails through SES. A request that SES finds invalid is refused, as one to an address that
 * it cannot parse. @throws anything else that SES answers; the queue then tries again.
 */
export const mailer = ({ from, configurationSet }: Sender): SendMail => {
  const client = prepareClient(new SESv2Client({ maxAttempts: MAX_ATTEMPTS, requestHandler: timeLimits(ANSWER_MS) }));
  return async ({ to, subject, text }) => {
    const Charset = 'UTF-8';
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      ConfigurationSetName: configurationSet,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: { Data: subject, Charset }, Body: { Text: { Data: text, Charset } } } },
    });
    try {
      await client.send(command);
      return 'sent';
    } catch (error) {
      if (error instanceof BadRequestException) return 'refused';
      throw error;
    }
  };
};
