import type { ChainDeps } from '#shared/api/http/types.ts';
import { sendMailDeps } from '#shared/members/compose.ts';
import { sendMailEnv } from '#shared/members/env.ts';
import { codeMail } from '#shared/members/ports.ts';
import { type SendMailDeps, sendMail } from '#shared/members/use-cases/send-mail.ts';
import { readEnv } from '#shared/platform/env.ts';
import { consumer } from '#shared/platform/queues/consumer.ts';

/** Consumes the queue of sign-in codes and e-mails each code. */
export const sendMailHandler = (deps: SendMailDeps & Pick<ChainDeps, 'log'>) =>
  consumer(codeMail, deps.log, (mail) => sendMail(deps, mail));

export const handler = sendMailHandler(sendMailDeps(readEnv(sendMailEnv, process.env)));
