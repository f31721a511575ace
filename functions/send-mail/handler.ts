import { sendMailDeps } from '#shared/composition/members.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { sendMailEnv } from '#shared/env/members.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { codeMail } from '#shared/ports/members.ts';
import { consumer } from '#shared/queue/consumer.ts';
import { type SendMailDeps, sendMail } from '#shared/use-cases/members/send-mail.ts';

/** Consumes the queue of codes: mails each to who signs in. */
export const sendMailHandler = (deps: SendMailDeps & Pick<PublicDeps, 'log'>) =>
  consumer(codeMail, deps.log, (mail) => sendMail(deps, mail));

export const handler = sendMailHandler(sendMailDeps(readEnv(sendMailEnv, process.env)));
