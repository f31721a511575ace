import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** How many informational (1xx) answers may come before the answer itself (architecture.md section 5). */
const MAX_INFORMATIONAL = 5;
/** All that may come before the end of an exchange: six heads of 16 KiB, which is Node's limit for one, and room for the body's start. */
const MAX_KIB = 128;
/** Bytes that Node's parser gets at once: some thirty of the shortest informational answers. */
const SLICE_BYTES = 512;

/**
 * Hands a connection's bytes to Node's parser in slices, and none once the connection was destroyed. Node parses all that arrived
 * together, up to 64 KiB, before anything else of this process runs, even when its request has ended meanwhile.
 */
export const sliced = <S extends Socket>(socket: S): S => {
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null, encoding): boolean => {
    if (chunk === null || chunk.length <= SLICE_BYTES) return push(chunk, encoding);
    let wantsMore = true;
    for (let from = 0; from < chunk.length && !socket.destroyed; from += SLICE_BYTES) {
      wantsMore = push(chunk.subarray(from, from + SLICE_BYTES), encoding);
    }
    return wantsMore;
  };
  return socket;
};

/** Calls `abort` with a sentence for the merchant when an endpoint sends more than any answer needs, so that it delays no other endpoint. */
export const limitAnswer = (outgoing: ClientRequest, abort: (error: string) => void): void => {
  let informational = 0;
  let bytes = 0;
  outgoing.on('information', () => {
    informational += 1;
    if (informational <= MAX_INFORMATIONAL) return;
    abort(`The request failed: more than ${MAX_INFORMATIONAL} informational answers (1xx) came before an answer.`);
  });
  outgoing.once('socket', (socket: Socket) => {
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > MAX_KIB * 1_024) abort(`The request failed: the answer did not begin within ${MAX_KIB} KiB.`);
    };
    socket.on('data', count);
    // The connection may serve another request after this one.
    outgoing.once('close', () => socket.off('data', count));
  });
};
