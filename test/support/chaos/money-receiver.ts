import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { receiveNotification } from '#test/support/worlds/handlers.ts';
import type { Lives } from './lives.ts';

/** Turns of the event loop that a request needs to arrive. The exact number only changes how many requests race. */
const TURNS = 10;

/**
 * Starts the endpoint for notifications. Each request runs in its own life, a simulated process that may crash. A crash cuts the connection.
 * `consume` runs before the answer is sent.
 */
export const startCrashingReceiver = async (lives: Lives, consume: () => Promise<void>) => {
  const answers: Record<string, number> = {};
  let underWay = 0;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    underWay -= 1;
    for (const check of waiting.splice(0)) check();
  };
  const server = createServer(async (incoming, response) => {
    underWay += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const provider = /^\/providers\/([^/]+)\/notifications$/.exec(incoming.url ?? '')?.[1] ?? '';
    const event = apiEvent({
      path: incoming.url ?? '',
      params: { provider },
      headers: incoming.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    });
    try {
      const { statusCode = 500, body } = await lives
        .begin()
        .run((deps) => receiveNotification(deps)(event, lambdaContext()));
      await consume();
      answers[statusCode] = (answers[statusCode] ?? 0) + 1;
      response.writeHead(statusCode).end(body);
    } catch {
      answers.none = (answers.none ?? 0) + 1;
      incoming.socket.destroy();
    }
    leave();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** Counts the answers by status; `none` if the life ended first. */
    answers,
    makeUrl: (provider: ProviderName): string => `${baseUrl}/providers/${provider}/notifications`,
    /** Resolves when fewer than `limit` requests are under way. */
    waitForFewer: async (limit: number): Promise<void> => {
      for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
      while (underWay >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    stop: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};
