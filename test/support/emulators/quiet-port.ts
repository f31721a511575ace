import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems give ports above these to whoever asks for any: 32768 and up on Linux, 49152 and up elsewhere. */
const [FIRST, LAST] = [20_000, 32_000];

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/**
 * A free port on the loopback interface for a server that needs a fixed one and starts slowly. One that the system chose could
 * meanwhile go to another server, or to somebody's outgoing connection.
 */
export const quietPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
};
