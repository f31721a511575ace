import type { IncomingMessage } from 'node:http';

/** API Gateway takes no larger body. */
const MAX_BYTES = 10 * 1024 * 1024;

/** The whole body of a request; undefined when it is over 10 MB. What is too much is read and forgotten. */
export const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
    else chunks = [];
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks) : undefined;
};
