import { formatJson } from './literal.ts';
import type { SampleRequest } from './sent.ts';

/** Makes a sample for the shell. */
export const curl = ({ method, url, hasKey, takesIdempotencyKey, body }: SampleRequest): string =>
  [
    // On an HTTP error, curl prints the body and ends with an error.
    `curl -sS --fail-with-body ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}"${url}"`,
    ...(hasKey ? ['-H "Authorization: Bearer $PAYMENTS_KEY"'] : []),
    ...(takesIdempotencyKey ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${formatJson(body).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
