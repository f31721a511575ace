import * as z from 'zod/mini';
import { nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import { apiEnv } from './api.ts';
import { keysPlace, tableEnv } from './kernel.ts';

/** finish-sign-in, and send-mail: make the codes. */
export const codesEnv = z.extend(tableEnv, { SIGN_IN_KEYS: keysPlace });

const mailQueueEnv = z.object({ MAIL_QUEUE_URL: z.url() });
/** start-sign-in, add-passkey: also ask for a mail. */
export const mailingEnv = z.extend(tableEnv, mailQueueEnv.shape);
/** What changes a business for a member: has its owners mailed. */
export const memberChangesEnv = z.extend(apiEnv, mailQueueEnv.shape);

/** send-mail: sends it. */
export const sendMailEnv = z.extend(codesEnv, {
  /** The sender, an identity that SES has verified. */
  MAIL_FROM: nonEmptyString,
  /** The configuration set that it sends by, whose bounces and complaints reach operators. */
  MAIL_CONFIGURATION_SET: nonEmptyString,
});
