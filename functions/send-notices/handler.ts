import type { Context } from 'aws-lambda';
import { sendNoticesDeps } from '#shared/members/compose.ts';
import { sendNoticesEnv } from '#shared/members/env.ts';
import { readEnv } from '#shared/platform/env.ts';
import { type SendNoticesDeps, sendNotices } from '#shared/sweeps/use-cases/send-notices.ts';

/**
 * Milliseconds between the deadline, after which no other e-mail is begun, and the end of the run. In this time the e-mail in progress is sent,
 * with two tries if necessary, and the notice is written with the readers who were mailed.
 */
const MARGIN_MS = 25_000;

/** Runs on a schedule and e-mails notices to the owners of businesses. */
export const sendNoticesHandler = (deps: SendNoticesDeps) => async (_event: unknown, context: Context) =>
  sendNotices(deps, deps.now() + context.getRemainingTimeInMillis() - MARGIN_MS);

export const handler = sendNoticesHandler(sendNoticesDeps(readEnv(sendNoticesEnv, process.env)));
