import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** The number of informational (1xx) answers that may come before the answer itself. */
const MAX_INFORMATIONAL = 5;
/**
 * The most KiB that an endpoint may send in one exchange. It is enough for five informational heads, the head of the answer, and the start of
 * its body. Node limits one head to 16 KiB.
 */
const MAX_KIB = 128;
/** The bytes that Node's parser gets at once: about thirty of the shortest informational answers. */
const SLICE_BYTES = 512;

/**
 * Passes a connection's bytes to Node's parser in slices, and stops when the connection is destroyed. Without this Node parses all bytes
 * that arrived together, up to 64 KiB, before other work of this process runs, even if the request has ended meanwhile.
 */
export const sliceReads = <S extends Socket>(socket: S): S => {
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

/**
 * Calls `abort` with a sentence for the merchant if an endpoint sends more than any answer needs, so that it does not delay other endpoints.
 */
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
