import * as z from 'zod';

/** A mail as SES was asked to send it. */
export interface StoredMail {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: string;
}

/** As many as are listed; a code is of no use after ten minutes. */
const MAX_STORED = 50;

/** What the SDK sends to SES for a mail of text alone (SES API v2, SendEmail). */
const sendEmail = z.object({
  Destination: z.object({ ToAddresses: z.array(z.string()).min(1) }),
  Content: z.object({
    Simple: z.object({
      Subject: z.object({ Data: z.string() }),
      Body: z.object({ Text: z.object({ Data: z.string() }) }),
    }),
  }),
});

/** Mails that were sent, newest first, in memory alone: they hold codes. */
export const openMails = () => {
  let stored: readonly StoredMail[] = [];
  let sent = 0;
  return {
    list: (): readonly StoredMail[] => stored,
    /** Takes a request to SES; undefined when it is none. */
    take: (body: string, at: Date): StoredMail | undefined => {
      const parsed = sendEmail.safeParse(JSON.parse(body));
      if (!parsed.success) return undefined;
      const { Destination, Content } = parsed.data;
      sent += 1;
      const mail = {
        id: sent,
        to: Destination.ToAddresses.join(', '),
        subject: Content.Simple.Subject.Data,
        text: Content.Simple.Body.Text.Data,
        at: at.toISOString(),
      };
      stored = [mail, ...stored].slice(0, MAX_STORED);
      return mail;
    },
  };
};
export type Mails = ReturnType<typeof openMails>;
