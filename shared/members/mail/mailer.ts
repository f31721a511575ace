import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { SendMail } from '#shared/members/ports.ts';
import { clientSettings, reportUnavailable } from '#shared/platform/aws-client.ts';

export const MAIL_LIMITS = { answerMs: 5_000, maxAttempts: 2 };

/** Who sends, an identity that SES has verified, and the configuration set that it is sent by. */
export interface Sender {
  readonly from: string;
  readonly configurationSet: string;
}

/**
 * Whether SES refuses the reader alone. In its sandbox it names the addresses that nobody has verified; where the sender's is among them,
 * nobody can be written to.
 */
const isReaderRefused = (error: unknown, { to, from }: { readonly to: string; readonly from: string }): boolean => {
  if (error instanceof BadRequestException) return true;
  if (!(error instanceof MessageRejected)) return false;
  const named = error.message.toLowerCase();
  const sender = from.replace(/^.*<|>.*$/g, '').toLowerCase();
  return named.includes(to.toLowerCase()) && !named.includes(sender);
};

/**
 * Sends mails through SES. A request that SES finds invalid is refused, as one to an address that it cannot parse, or that nobody has
 * verified in its sandbox. @throws anything else that SES answers; the queue then tries again.
 */
export const mailer = ({ from, configurationSet }: Sender): SendMail => {
  const client = reportUnavailable(new SESv2Client(clientSettings(MAIL_LIMITS)));
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
      if (isReaderRefused(error, { to, from })) return 'refused';
      throw error;
    }
  };
};
