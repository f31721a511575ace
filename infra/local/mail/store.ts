import * as z from 'zod';

/** A mail that the service sent. */
export interface StoredMail {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: string;
}

/** The most mails that are stored and listed. A few are enough, because the sign-in code in a mail expires after ten minutes. */
const MAX_STORED = 50;

/** The SDK's request to SES for a text mail (SES API v2, SendEmail). */
const sendEmail = z.object({
  Destination: z.object({ ToAddresses: z.array(z.string()).min(1) }),
  Content: z.object({
    Simple: z.object({
      Subject: z.object({ Data: z.string() }),
      Body: z.object({ Text: z.object({ Data: z.string() }) }),
    }),
  }),
});

/** Stores sent mails, newest first. They are only in memory, because they contain sign-in codes. */
export const createMailStore = () => {
  let stored: readonly StoredMail[] = [];
  let count = 0;
  return {
    list: (): readonly StoredMail[] => stored,
    /** Takes a request to SES; undefined if it is not one for a text mail. */
    accept: (body: string, at: Date): StoredMail | undefined => {
      const parsed = sendEmail.safeParse(JSON.parse(body));
      if (!parsed.success) return undefined;
      const { Destination, Content } = parsed.data;
      count += 1;
      const mail = {
        id: count,
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
export type MailStore = ReturnType<typeof createMailStore>;
