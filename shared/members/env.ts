import * as z from 'zod/mini';
import { keysPlace, tableEnv } from '#shared/platform/env.ts';
import { nonEmptyString } from '#shared/platform/kernel/schemas.ts';

/** The variables of finish-sign-in and send-mail, which compute codes. */
export const codesEnv = z.extend(tableEnv, { SIGN_IN_KEYS: keysPlace });

const codeQueueEnv = z.object({ CODE_QUEUE_URL: z.url() });
/** The variables of start-sign-in, which queues the mail of a code. */
export const startSignInEnv = z.extend(tableEnv, codeQueueEnv.shape);

const senderEnv = z.object({
  /** The sender, an identity that SES has verified. */
  MAIL_FROM: nonEmptyString,
  /** The configuration set that mails are sent with. Its bounces and complaints reach operators. */
  MAIL_CONFIGURATION_SET: nonEmptyString,
});
/** The variables of send-mail, which sends codes. */
export const sendMailEnv = z.extend(codesEnv, senderEnv.shape);
/** The variables of send-notices, which sends all other mails. */
export const sendNoticesEnv = z.extend(tableEnv, {
  ...senderEnv.shape,
  /** The dashboard's sign-in, the only link in a mail. Empty if the stage has no domain of its own. */
  SIGN_IN_URL: z.union([z.url(), z.literal('')]),
});
