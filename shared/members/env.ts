import * as z from 'zod/mini';
import { keysPlace, tableEnv } from '#shared/platform/env.ts';
import { nonEmptyString } from '#shared/platform/kernel/schemas.ts';

/** finish-sign-in, and send-mail: make the codes. */
export const codesEnv = z.extend(tableEnv, { SIGN_IN_KEYS: keysPlace });

const codeQueueEnv = z.object({ CODE_QUEUE_URL: z.url() });
/** start-sign-in: asks for a code's mail. */
export const mailingEnv = z.extend(tableEnv, codeQueueEnv.shape);

const senderEnv = z.object({
  /** The sender, an identity that SES has verified. */
  MAIL_FROM: nonEmptyString,
  /** The configuration set that it sends by, whose bounces and complaints reach operators. */
  MAIL_CONFIGURATION_SET: nonEmptyString,
});
/** send-mail: sends codes. */
export const sendMailEnv = z.extend(codesEnv, senderEnv.shape);
/** send-notices: sends the rest. */
export const sendNoticesEnv = z.extend(tableEnv, {
  ...senderEnv.shape,
  /** Where people sign in to the dashboard: the one link that a mail has. Empty where the stage has no domain of its own. */
  SIGN_IN_URL: z.union([z.url(), z.literal('')]),
});
