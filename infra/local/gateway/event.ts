import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ACCOUNT } from '#infra/local/aws-account.ts';
import type { HttpRequest } from './request.ts';
import type { Match } from './routes.ts';

/** Headers that the gateway does not pass on: those of one connection, and `cookie`, which becomes the `cookies` of the event. */
const NOT_PASSED_ON = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'cookie'];

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decodeText = (body: Buffer): string | undefined => {
  try {
    return strictUtf8.decode(body);
  } catch {
    return undefined;
  }
};

/** Formats a time as in access logs: `20/Nov/2026:12:00:00 +0000`. */
const formatLogTime = (at: Date): string => {
  const [, day, month, year, time] = at.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};

const readParameters = (query: string): Record<string, string> => {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = parameters.get(name);
    parameters.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(parameters);
};

const forwardHeaders = ({ headers, sourceIp }: HttpRequest): Record<string, string> => {
  const passedOn = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.includes(name));
  const forwarded = headers['x-forwarded-for'];
  return {
    ...Object.fromEntries(passedOn),
    'x-forwarded-for': forwarded ? `${forwarded}, ${sourceIp}` : sourceIp,
    'x-forwarded-proto': 'http',
  };
};

/** Makes the event of a request for a route, like API Gateway (HTTP API, payload format 2.0). */
export const toGatewayEvent = (request: HttpRequest, { routeKey, pathParameters }: Match): APIGatewayProxyEventV2 => {
  const { id, method, path, query, protocol, headers, sourceIp, receivedAt, body } = request;
  const text = decodeText(body);
  const domainName = headers.host ?? '';
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(headers.cookie && { cookies: headers.cookie.split(/; */) }),
    headers: forwardHeaders(request),
    ...(query && { queryStringParameters: readParameters(query) }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: { method, path, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: id,
      routeKey,
      stage: '$default',
      time: formatLogTime(receivedAt),
      timeEpoch: receivedAt.getTime(),
    },
    ...(body.length > 0 && { body: text ?? body.toString('base64') }),
    isBase64Encoded: text === undefined,
  };
};
