import { sendSignInMailDeps } from '#shared/composition/members.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { sendSignInMailEnv } from '#shared/env/members.ts';
import type { Log } from '#shared/observability/log.ts';
import { signInMail } from '#shared/ports/members.ts';
import { consumer } from '#shared/queue/consumer.ts';
import { type SendSignInMailDeps, sendSignInMail } from '#shared/use-cases/members/send-sign-in-mail.ts';

/** Consumes the queue of mails, and sends codes to the users who asked for them. */
export const sendSignInMailHandler = (deps: SendSignInMailDeps & { readonly log: Log }) =>
  consumer(signInMail, deps.log, (mail) => sendSignInMail(deps, mail));

export const handler = sendSignInMailHandler(sendSignInMailDeps(readEnv(sendSignInMailEnv, process.env)));
