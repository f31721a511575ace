import { gatewayAnswer } from '#infra/local/gateway/answer.ts';
import type { Answerer } from '#infra/local/gateway/api.ts';
import { jsonAnswer, pageAnswer } from '#infra/local/pages/answers.ts';
import { inboxPage, PAGE_POLICY } from './page.ts';
import type { Inbox } from './store.ts';

/** The path of the webhook endpoint and its page. */
export const INBOX_PATH = '/_local/inbox';

/** Serves the demo business's webhook endpoint, and shows the received webhooks as a page and as JSON. */
export const inboxRoutes =
  (inbox: Inbox, howToPay: string): Answerer =>
  async ({ method, path, headers, body, receivedAt }) => {
    switch (`${method} ${path}`) {
      case `POST ${INBOX_PATH}`: {
        const { verified, error } = inbox.receive(headers, body, receivedAt);
        return jsonAnswer(verified ? 200 : 400, { verified, error });
      }
      case `GET ${INBOX_PATH}`:
        return pageAnswer(200, 'text/html; charset=utf-8', inboxPage(inbox.list(), howToPay), {
          'content-security-policy': PAGE_POLICY,
        });
      case `GET ${INBOX_PATH}.json`:
        return jsonAnswer(200, { webhooks: inbox.list() });
      default:
        return gatewayAnswer(404, 'Not Found');
    }
  };
