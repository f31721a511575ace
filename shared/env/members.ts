import * as z from 'zod/mini';
import { nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import { apiEnv } from './api.ts';
import { tableEnv } from './kernel.ts';

const { HASH_KEY } = apiEnv.shape;

/** Whoever makes a code. */
export const membersEnv = z.extend(tableEnv, { HASH_KEY });

/** start-sign-in: also asks for the mail. */
export const startSignInEnv = z.extend(tableEnv, { MAIL_QUEUE_URL: z.url() });

/** send-sign-in-mail: sends it. */
export const sendSignInMailEnv = z.extend(membersEnv, {
  /** The sender, an identity that SES has verified. */
  MAIL_FROM: nonEmptyString,
});
