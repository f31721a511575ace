import type * as z from 'zod/mini';
import { passkeyVerifier } from '#shared/adapters/passkeys/verifier.ts';
import { connectQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { mailQueue } from '#shared/adapters/sqs/mail-queue.ts';
import type { tableEnv } from '#shared/env/kernel.ts';
import type { mailingEnv } from '#shared/env/members.ts';
import { passkeyDeps } from './members.ts';

/* Apart from the other functions of members: the library that verifies passkeys is large. */

/** use-passkey: verifies one that was used. */
export const usePasskeyDeps = (env: z.infer<typeof tableEnv>) => ({ ...passkeyDeps(env), passkeys: passkeyVerifier });

/** add-passkey: verifies a new one, and has people mailed. */
export const addPasskeyDeps = (env: z.infer<typeof mailingEnv>) => ({
  ...usePasskeyDeps(env),
  mails: mailQueue(connectQueue(), env.MAIL_QUEUE_URL),
});
