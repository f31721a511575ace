import { CORS } from '#infra/cors.ts';
import type { Answer } from './answer.ts';
import type { HttpRequest } from './request.ts';

/** The answer to a browser's preflight, which API Gateway gives itself; undefined for any other request. */
export const preflight = ({ method }: Pick<HttpRequest, 'method'>): Answer | undefined => {
  if (method !== 'OPTIONS') return undefined;
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': CORS.allowOrigin,
      'access-control-allow-headers': CORS.allowHeaders.join(','),
      'access-control-allow-methods': CORS.allowMethods.join(','),
      'access-control-max-age': String(CORS.maxAgeSeconds),
    },
    cookies: [],
    body: '',
  };
};

/** The answer with what a browser wants to read on it. Other clients send no Origin and get none of this. */
export const withCors = ({ headers }: Pick<HttpRequest, 'headers'>, answer: Answer): Answer =>
  headers.origin === undefined
    ? answer
    : {
        ...answer,
        headers: {
          ...answer.headers,
          'access-control-allow-origin': CORS.allowOrigin,
          'access-control-expose-headers': CORS.exposeHeaders.join(','),
        },
      };
