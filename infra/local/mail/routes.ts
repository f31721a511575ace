import { type Admission, isAdmitted } from '#infra/local/emulators/admission.ts';
import { gatewayAnswer } from '#infra/local/gateway/answer.ts';
import type { Answerer } from '#infra/local/gateway/api.ts';
import { jsonAnswer, pageAnswer } from '#infra/local/pages/answers.ts';
import { MAIL_POLICY, mailPage } from './page.ts';
import type { MailStore } from './store.ts';

/** The path of the page with e-mails. */
export const MAIL_PATH = '/_local/mail';
/** The endpoint of the local replacement for SES. */
export const SES_PATH = `${MAIL_PATH}/ses`;

/** Serves the page of sent e-mails, and the only route of SES that the service calls (SES API v2, SendEmail). */
export const mailRoutes =
  (mails: MailStore, accessKeyId: string): Answerer =>
  async ({ method, path, headers, body, receivedAt }) => {
    switch (`${method} ${path}`) {
      case `POST ${SES_PATH}/v2/email/outbound-emails`: {
        const admission: Admission = { host: headers.host ?? '', accessKeyId };
        if (!isAdmitted(headers, admission))
          return jsonAnswer(403, { message: 'Only the local stack may send mail here.' });
        const mail = mails.accept(body.toString(), receivedAt);
        return mail
          ? jsonAnswer(200, { MessageId: `local-${mail.id}` })
          : jsonAnswer(400, { message: 'The local replacement for SES takes only text mails.' });
      }
      case `GET ${MAIL_PATH}`:
        return pageAnswer(200, 'text/html; charset=utf-8', mailPage(mails.list()), {
          'content-security-policy': MAIL_POLICY,
        });
      case `GET ${MAIL_PATH}.json`:
        return jsonAnswer(200, { mails: mails.list() });
      default:
        return gatewayAnswer(404, 'Not Found');
    }
  };
