import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** As much of an answer's start as is looked at: six heads of 16 KiB (answer-limits.ts). */
const MAX_CHARACTERS = 96 * 1_024;
/** The status line of the answer itself, after informational ones. */
const STATUS_LINE = /^(?:HTTP\/1\.[01] 1\d\d[\s\S]*?\r\n\r\n)*HTTP\/1\.[01] ([2-5]\d\d)[ \r]/;
/** What Node's parser calls lengths of a body that are none, or two lengths that contradict each other. */
const UNKNOWN_LENGTH = /^HPE_[A-Z]+_(CONTENT_LENGTH|TRANSFER_ENCODING)$/;

/**
 * Watches the bytes of an answer. Returns a function that gives the status of an answer whose head Node's parser refused with an error for
 * its body's length alone; null for any other error. Such heads are common: `Content-Length` beside `Transfer-Encoding`, or twice.
 */
export const statusOfRefusedHead = (outgoing: ClientRequest): ((error: NodeJS.ErrnoException) => number | null) => {
  let head = '';
  outgoing.once('socket', (socket: Socket) => {
    const keep = (chunk: Buffer): void => {
      if (head.length < MAX_CHARACTERS) head += chunk.toString('latin1');
    };
    // Before the parser, which refuses a head while it handles these very bytes.
    socket.prependListener('data', keep);
    const forget = () => socket.off('data', keep);
    outgoing.once('response', forget).once('close', forget);
  });
  return ({ code = '' }) => {
    const [, status] = (UNKNOWN_LENGTH.test(code) && STATUS_LINE.exec(head)) || [];
    return status === undefined ? null : Number(status);
  };
};
