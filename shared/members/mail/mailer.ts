import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { SendMail } from '#shared/members/ports.ts';
import { clientSettings, reportUnavailable } from '#shared/platform/aws-client.ts';

export const MAIL_LIMITS = { answerMs: 5_000, maxAttempts: 2 };

/** The sender of mails, an identity that SES has verified, and the SES configuration set for the mails. */
export interface Sender {
  readonly from: string;
  readonly configurationSet: string;
}

/**
 * Checks whether SES rejects the mail because of its reader. A BadRequestException says that SES cannot parse the reader's address. An SES account
 * in the sandbox sends only between verified addresses: its MessageRejected names the addresses that are not verified. If the sender is among them,
 * the fault is not the reader's: no mail can be sent to anybody.
 */
const isReaderRefused = (error: unknown, { to, from }: { readonly to: string; readonly from: string }): boolean => {
  if (error instanceof BadRequestException) return true;
  if (!(error instanceof MessageRejected)) return false;
  const message = error.message.toLowerCase();
  const sender = from.replace(/^.*<|>.*$/g, '').toLowerCase();
  return message.includes(to.toLowerCase()) && !message.includes(sender);
};

/**
 * Sends mails through SES. Returns `refused` if SES rejects the mail because of its reader: SES cannot parse the address, or the SES account is
 * in the sandbox and the address is not verified. @throws anything else that SES answers; the caller then tries again.
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
