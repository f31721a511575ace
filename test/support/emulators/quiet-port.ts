import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The range of ports. Systems choose higher ones for connections: from 32768 on Linux, from 49152 elsewhere. */
const [FIRST, LAST] = [20_000, 32_000];

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/**
 * Finds a free port on loopback for a server that needs a fixed port and starts slowly. A port from the
 * system's own range could go to another server or an outgoing connection before the server listens.
 */
export const findQuietPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
};
