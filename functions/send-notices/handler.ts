import type { Context } from 'aws-lambda';
import { sendNoticesDeps } from '#shared/composition/members.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { sendNoticesEnv } from '#shared/env/members.ts';
import { type SendNoticesDeps, sendNotices } from '#shared/use-cases/sweeps/send-notices.ts';

/** Milliseconds left for the mail that is under way at the deadline, which may be sent twice, and for writing who has it. */
const MARGIN_MS = 25_000;

/** Runs on a schedule and mails what the owners of businesses are to be told. */
export const sendNoticesHandler = (deps: SendNoticesDeps) => async (_event: unknown, context: Context) =>
  sendNotices(deps, deps.now() + context.getRemainingTimeInMillis() - MARGIN_MS);

export const handler = sendNoticesHandler(sendNoticesDeps(readEnv(sendNoticesEnv, process.env)));
