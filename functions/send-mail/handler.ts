import { sendMailDeps } from '#shared/composition/members.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { sendMailEnv } from '#shared/env/members.ts';
import { queuedMail } from '#shared/ports/members.ts';
import { consumer } from '#shared/queue/consumer.ts';
import { type SendMailDeps, sendMail } from '#shared/use-cases/members/send-mail.ts';

/** Consumes the queue of mails: codes for who signs in, and notices for the owners of businesses. */
export const sendMailHandler = (deps: SendMailDeps) => consumer(queuedMail, deps.log, (mail) => sendMail(deps, mail));

export const handler = sendMailHandler(sendMailDeps(readEnv(sendMailEnv, process.env)));
