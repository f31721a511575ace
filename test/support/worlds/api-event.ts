import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';

export interface ApiCall {
  readonly method?: string;
  readonly path?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** An object is sent as JSON, a string unchanged, bytes in base64. */
  readonly body?: unknown;
  readonly sourceIp?: string;
  readonly requestId?: string;
  readonly userAgent?: string;
}

let calls = 0;

/** Makes the event of API Gateway (payload v2) for a call. */
export const apiEvent = (call: ApiCall): APIGatewayProxyEventV2 => {
  const { method = 'POST', path = '/', params, query = {}, headers = {}, body, sourceIp = '102.89.23.17' } = call;
  const isBytes = Buffer.isBuffer(body);
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  calls += 1;
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    queryStringParameters: query,
    ...(params && { pathParameters: params }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: call.userAgent ?? 'test' },
      requestId: call.requestId ?? `request-${calls}`,
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '20/Nov/2026:12:00:00 +0000',
      timeEpoch: Date.UTC(2026, 10, 20, 12),
    },
    ...(text !== undefined && { body: isBytes ? body.toString('base64') : text }),
    isBase64Encoded: isBytes,
  };
};

/** Makes a Lambda context without a time limit. Middy accepts that in tests. */
export const lambdaContext = (): Context => ({ awsRequestId: 'test', functionName: 'test' }) as Context;
