import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

/** The most characters of an answer's start that are kept: six heads of 16 KiB (answer-limits.ts). */
const MAX_CHARACTERS = 96 * 1_024;
/** The status line of the answer itself, after informational ones. */
const STATUS_LINE = /^(?:HTTP\/1\.[01] 1\d\d[\s\S]*?\r\n\r\n)*HTTP\/1\.[01] ([2-5]\d\d)[ \r]/;
/** The error codes of Node's parser for an invalid body length, or for two contradictory ones. */
const UNKNOWN_LENGTH = /^HPE_[A-Z]+_(CONTENT_LENGTH|TRANSFER_ENCODING)$/;

/**
 * Watches the bytes of an answer. Returns a function that maps an error of Node's parser to the status of the answer, if the parser rejected the
 * head only because of its body length; null for any other error. Such heads are common: they have `Content-Length` twice, or together with
 * `Transfer-Encoding`.
 */
export const statusOfRefusedHead = (outgoing: ClientRequest): ((error: NodeJS.ErrnoException) => number | null) => {
  let head = '';
  outgoing.once('socket', (socket: Socket) => {
    const keep = (chunk: Buffer): void => {
      if (head.length < MAX_CHARACTERS) head += chunk.toString('latin1');
    };
    // The listener runs before the parser, which rejects a head while it handles these bytes.
    socket.prependListener('data', keep);
    const forget = () => socket.off('data', keep);
    outgoing.once('response', forget).once('close', forget);
  });
  return ({ code = '' }) => {
    const [, status] = (UNKNOWN_LENGTH.test(code) && STATUS_LINE.exec(head)) || [];
    return status === undefined ? null : Number(status);
  };
};
