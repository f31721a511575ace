import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** An answer to the client. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly cookies: readonly string[];
  readonly body: string | Uint8Array;
}

/** Makes an answer of the gateway itself, in API Gateway's format. */
export const gatewayAnswer = (status: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: JSON.stringify({ message }),
});

const isStructured = (result: unknown): result is APIGatewayProxyStructuredResultV2 & { statusCode: number } =>
  typeof result === 'object' && result !== null && 'statusCode' in result && typeof result.statusCode === 'number';

/** Converts a function's result (payload format 2.0) to an answer. A result without a status is the body of a 200. */
export const toAnswer = (result: unknown): Answer => {
  if (!isStructured(result)) {
    const body = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
    return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body };
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded } = result;
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])),
    cookies,
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
};

/** Writes an answer to the socket. */
export const send = (response: ServerResponse, { status, headers, cookies, body }: Answer): void => {
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
    ...(status !== 204 && { 'content-length': Buffer.byteLength(body) }),
  });
  response.end(body);
};
