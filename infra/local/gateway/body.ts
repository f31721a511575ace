import type { IncomingMessage } from 'node:http';

/** API Gateway takes no larger body. */
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * The whole body of a request; undefined when it is over 10 MB. What is too much is read and forgotten.
 * @throws Error when the client goes away before its end.
 */
export const readBody = (request: IncomingMessage): Promise<Buffer | undefined> =>
  // By events: an iterator costs more than all else that a small body needs.
  new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BYTES) chunks.push(chunk);
      else chunks = [];
    });
    request.once('end', () => resolve(size <= MAX_BYTES ? Buffer.concat(chunks) : undefined));
    request.once('error', reject);
  });
