import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createMailStore } from '#infra/local/mail/store.ts';

/** Starts a stand-in for SES on its own port. It takes mails as the local stack does, and keeps them, oldest first. */
export const startSes = async () => {
  const mails = createMailStore();
  const server = createServer(async (request, response) => {
    const mail = mails.accept((await buffer(request)).toString(), new Date());
    response.writeHead(mail ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(mail ? { MessageId: String(mail.id) } : { message: 'No mail of text.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    get sent() {
      return mails.list().toReversed();
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
