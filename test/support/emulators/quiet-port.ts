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
 * Finds a free port on loopback for a server that needs a fixed port and starts slowly. If the system had chosen the port, another server or
 * an outgoing connection could get it meanwhile.
 */
export const findQuietPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
};
