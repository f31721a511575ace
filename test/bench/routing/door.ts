import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a server. While it is shut, it refuses connections, as if nothing listened. */
export interface Door {
  /** The proxy's address, without a path. */
  readonly origin: string;
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** Opens a door in front of a server, on a free port of 127.0.0.1. */
export const openDoor = async (origin: string): Promise<Door> => {
  const { hostname, port: behind } = new URL(origin);
  let server: Server | undefined;
  let port = 0;
  const sockets = new Set<Socket>();
  const trackSocket = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const pass = (incoming: Socket): void => {
    const outgoing = connect({ host: hostname, port: Number(behind) });
    for (const socket of [incoming, outgoing]) trackSocket(socket);
    incoming.pipe(outgoing).pipe(incoming);
    incoming.once('close', () => outgoing.destroy());
    outgoing.once('close', () => incoming.destroy());
  };
  const open = async (): Promise<void> => {
    const opened = createServer(pass);
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(port, '127.0.0.1', resolve);
    });
    server = opened;
    port = (opened.address() as { port: number }).port;
  };
  await open();
  return {
    origin: `http://127.0.0.1:${port}`,
    open,
    shut: async () => {
      const closed = new Promise<void>((resolve) => server?.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
