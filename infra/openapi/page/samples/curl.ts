import { formatJson } from './literal.ts';
import type { SampleRequest } from './sent.ts';

/** A sample for the shell. */
export const curl = ({ method, url, hasKey, takesIdempotencyKey, body }: SampleRequest): string =>
  [
    // Of a failure it prints status and body, and it ends with an error.
    `curl -sS --fail-with-body ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}"${url}"`,
    ...(hasKey ? ['-H "Authorization: Bearer $PAYMENTS_KEY"'] : []),
    ...(takesIdempotencyKey ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${formatJson(body).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
