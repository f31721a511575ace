import type * as z from 'zod/mini';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { businessReader } from '#shared/businesses/store/business-reader.ts';
import { summaryStore } from '#shared/businesses/store/summary-store.ts';
import { codeQueue } from '#shared/members/mail/code-queue.ts';
import { mailer } from '#shared/members/mail/mailer.ts';
import { challengeStore } from '#shared/members/store/challenge-store.ts';
import { noticeStore } from '#shared/members/store/notice-store.ts';
import { sessionStore } from '#shared/members/store/session-store.ts';
import { signInStore } from '#shared/members/store/sign-in-store.ts';
import { userReader, userStore } from '#shared/members/store/user-store.ts';
import { dailyTotals } from '#shared/payments/store/daily-totals.ts';
import type { tableEnv } from '#shared/platform/env.ts';
import { connectQueue } from '#shared/platform/queues/connect-queue.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { stageKeys } from '#shared/platform/secrets/stage-keys.ts';
import { connectTable, type Table } from '#shared/platform/table/table.ts';
import { dueIndex } from '#shared/sweeps/store/due-index.ts';
import type { codesEnv, sendMailEnv, sendNoticesEnv, startSignInEnv } from './env.ts';

/** Builds the dependencies of functions that show who is signed in. */
const showDeps = (table: Table, env: z.infer<typeof tableEnv>) => ({
  ...chainDeps(env),
  users: userReader(table),
  sessions: sessionStore(table),
  businesses: businessReader(table),
});

/** Builds the dependencies of show-me, sign-out, list-sessions and end-session, which read sessions and end them. */
export const sessionDeps = (env: z.infer<typeof tableEnv>) => showDeps(connectTable(env), env);

/** Builds the dependencies of start-sign-in, which records a sign-in and queues its mail. */
export const startSignInDeps = (env: z.infer<typeof startSignInEnv>) => ({
  ...chainDeps(env),
  ...runtime,
  signIns: signInStore(connectTable(env)),
  mails: codeQueue(connectQueue(), env.CODE_QUEUE_URL),
});

/** Builds the dependencies of finish-sign-in, which checks a code and records the session. */
export const finishSignInDeps = (env: z.infer<typeof codesEnv>) => {
  const table = connectTable(env);
  const deps = showDeps(table, env);
  return { ...runtime, ...deps, signIns: signInStore(table), signInKeys: stageKeys(env.SIGN_IN_KEYS, deps) };
};

/** Builds the dependencies of send-mail, which finds the reader of a code and mails it. */
export const sendMailDeps = (env: z.infer<typeof sendMailEnv>) => {
  const chain = chainDeps(env);
  return {
    ...chain,
    users: userReader(connectTable(env)),
    sendMail: mailer({ from: env.MAIL_FROM, configurationSet: env.MAIL_CONFIGURATION_SET }),
    signInKeys: stageKeys(env.SIGN_IN_KEYS, chain),
  };
};

/** Builds the dependencies of send-notices, which mails the notices that wait in the table. */
export const sendNoticesDeps = (env: z.infer<typeof sendNoticesEnv>) => {
  const table = connectTable(env);
  return {
    ...runtime,
    ...chainDeps(env),
    dueIndex: dueIndex(table),
    notices: noticeStore(table),
    summaries: summaryStore(table),
    totals: dailyTotals(table),
    signInUrl: env.SIGN_IN_URL || null,
    users: userReader(table),
    businesses: businessReader(table),
    sendMail: mailer({ from: env.MAIL_FROM, configurationSet: env.MAIL_CONFIGURATION_SET }),
  };
};

/** Builds the dependencies of adding, removing and using passkeys, without the verifier (compose-passkeys.ts). */
export const passkeyDeps = (env: z.infer<typeof tableEnv>) => {
  const table = connectTable(env);
  return {
    ...runtime,
    ...showDeps(table, env),
    users: userStore(table),
    signIns: signInStore(table),
    challenges: challengeStore(table),
  };
};
