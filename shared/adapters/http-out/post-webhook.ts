import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { PostWebhook } from '#shared/ports.ts';

/** As much of an answer as a merchant can read back; the rest is not even received. */
const MAX_RESPONSE_BYTES = 1_024;

const reason = (error: NodeJS.ErrnoException, timeoutMs: number): string => {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return `No answer within ${timeoutMs / 1_000} s.`;
  return `The request failed (${error.code ?? error.name}).`;
};

/**
 * Posts a webhook, with `timeoutMs` for everything from the look-up of the name to the end of the answer.
 * Follows no redirect: a 3xx is an answer like any other. Uses a connection of its own, so that attempts share nothing.
 */
export const postWebhook =
  (timeoutMs: number): PostWebhook =>
  ({ url, headers, body }) =>
    new Promise((resolve) => {
      const target = new URL(url);
      const send = target.protocol === 'https:' ? requestHttps : requestHttp;
      const signal = AbortSignal.timeout(timeoutMs);
      let statusCode: number | null = null;
      const chunks: Buffer[] = [];
      let received = 0;
      const finish = (error: string | null): void => {
        const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8');
        resolve({ statusCode, error, response: statusCode === null ? null : text });
        outgoing.destroy();
      };
      const outgoing = send(
        target,
        {
          method: 'POST',
          agent: false,
          signal,
          headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        },
        (incoming) => {
          statusCode = incoming.statusCode ?? null;
          incoming.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            received += chunk.length;
            if (received >= MAX_RESPONSE_BYTES) finish(null);
          });
          incoming.on('end', () => finish(null));
          incoming.on('error', (error) => finish(reason(error, timeoutMs)));
        },
      );
      outgoing.on('error', (error) => finish(reason(error, timeoutMs)));
      outgoing.end(body);
    });
