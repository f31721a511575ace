import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** More pieces than a socket passes on at once. */
export const MANY = 20_000;

/** Sends a text again and again, as fast as the other side reads. */
export const flood = (socket: Socket, piece: string): void => {
  const bytes = Buffer.from(piece.repeat(MANY));
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
};

/** Opens hosts that answer a request byte by byte, as no HTTP server would. */
export const openRawHosts = () => {
  const open = new Set<Socket>();
  const servers: Server[] = [];

  /** Starts a server, and returns its port. */
  const listen = async (server: Server): Promise<number> => {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  /** Handles each socket that has sent a request. */
  const misbehaving = (answer: (socket: Socket) => void) => (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  };
  /** Starts a host, and returns its URL. */
  const hostAt = async (answer: (socket: Socket) => void): Promise<string> =>
    `http://127.0.0.1:${await listen(createServer(misbehaving(answer)))}/`;

  /** Resolves when the poster has closed every connection of the hosts. */
  const allClosed = async (): Promise<void> => {
    while (open.size > 0) await wait(5);
  };

  const stop = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  };
  return { open, listen, misbehaving, hostAt, allClosed, stop };
};
