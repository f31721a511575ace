import type { IncomingMessage } from 'node:http';

/** Bytes of the largest body that API Gateway takes. */
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Reads the whole body of a request; undefined if it is over 10 MB. A larger body is read and dropped.
 * @throws Error if the client closes the connection before the end.
 */
export const readBody = (request: IncomingMessage): Promise<Buffer | undefined> =>
  // It reads by events: for a small body, an async iterator would take longer than everything else.
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
