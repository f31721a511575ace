import type * as z from 'zod/mini';
import { businessReader } from '#shared/adapters/dynamodb/businesses/business-reader.ts';
import { sessionStore } from '#shared/adapters/dynamodb/members/session-store.ts';
import { signInStore } from '#shared/adapters/dynamodb/members/sign-in-store.ts';
import { userReader } from '#shared/adapters/dynamodb/members/user-store.ts';
import { connectTable, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { mailer } from '#shared/adapters/ses/mailer.ts';
import { connectQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { mailQueue } from '#shared/adapters/sqs/mail-queue.ts';
import type { tableEnv } from '#shared/env/kernel.ts';
import type { membersEnv, sendSignInMailEnv, startSignInEnv } from '#shared/env/members.ts';
import { publicDeps } from './public.ts';

/** What shows who is signed in. */
const showDeps = (table: Table, env: z.infer<typeof tableEnv>) => ({
  ...publicDeps(env),
  users: userReader(table),
  sessions: sessionStore(table),
  businesses: businessReader(table),
});

/** show-me, sign-out: read a session, and end it. */
export const sessionDeps = (env: z.infer<typeof tableEnv>) => showDeps(connectTable(env), env);

/** start-sign-in: records a sign-in and queues its mail. */
export const startSignInDeps = (env: z.infer<typeof startSignInEnv>) => ({
  ...publicDeps(env),
  ...runtime,
  signIns: signInStore(connectTable(env)),
  mails: mailQueue(connectQueue(), env.MAIL_QUEUE_URL),
});

/** finish-sign-in: checks a code and records the session. */
export const finishSignInDeps = (env: z.infer<typeof membersEnv>) => {
  const table = connectTable(env);
  return { ...runtime, ...showDeps(table, env), signIns: signInStore(table), hashKey: env.HASH_KEY };
};

/** send-sign-in-mail: finds the user and writes the mail. */
export const sendSignInMailDeps = (env: z.infer<typeof sendSignInMailEnv>) => ({
  ...publicDeps(env),
  users: userReader(connectTable(env)),
  sendMail: mailer(env.MAIL_FROM),
  hashKey: env.HASH_KEY,
});
