import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/*
 * A minimal HTTP/1.1 client and server with keep-alive. Load and receivers share the machine with the measured service, and Node's own
 * client and server would take a tenth of the processor time.
 */

interface Message {
  readonly head: string;
  readonly body: string;
}

/** Calls back with each complete message on a connection. Messages must have a content-length. */
const onMessages = (socket: Socket, onMessage: (message: Message) => void): void => {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (;;) {
      const headEnd = bytes.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const head = bytes.toString('latin1', 0, headEnd);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (bytes.length < end) return;
      const body = bytes.toString('utf8', headEnd + 4, end);
      bytes = bytes.subarray(end);
      onMessage({ head, body });
    }
  });
};

/**
 * Milliseconds. A connection that was idle for longer is not used again: Node's server closes a connection after five idle seconds, and a
 * request sent at that moment would be lost.
 */
const IDLE_MS = 3_000;

export interface Answer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
}

/** Returns a client that posts JSON to one path of one server. */
export const createPoster = (url: URL, key: string) => {
  const idle: { readonly socket: Socket; readonly since: number }[] = [];
  const head = `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
  const answers = new WeakMap<Socket, (answer: Answer | null) => void>();
  const open = (): Socket => {
    const socket = connect(Number(url.port), url.hostname).setNoDelay(true);
    onMessages(socket, (answer) => {
      idle.push({ socket, since: performance.now() });
      answers.get(socket)?.({ status: Number(answer.head.slice(9, 12)), head: answer.head });
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const at = idle.findIndex((connection) => connection.socket === socket);
      if (at !== -1) idle.splice(at, 1);
      answers.get(socket)?.(null);
    });
    return socket;
  };
  /** Takes the connection that was used last. If it was idle for too long, all other connections were, too, and are closed. */
  const takeIdle = (): Socket | undefined => {
    const last = idle.pop();
    if (last === undefined || performance.now() - last.since < IDLE_MS) return last?.socket;
    for (const { socket } of [last, ...idle.splice(0)]) socket.destroy();
    return undefined;
  };
  /** Posts a body. Returns the answer, or null when the connection failed. */
  const ask = (body: string): Promise<Answer | null> =>
    new Promise((resolve) => {
      const socket = takeIdle() ?? open();
      answers.set(socket, resolve);
      socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  return {
    ask,
    stop: (): void => {
      for (const { socket } of idle.splice(0)) socket.destroy();
    },
  };
};

/** Starts a webhook server that passes each body on and answers 200. */
export const startRawReceiver = async (onBody: (body: string) => void) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onMessages(socket, ({ body }) => {
      onBody(body);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    stop: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
