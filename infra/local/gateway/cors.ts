import { CORS } from '#infra/cors.ts';
import type { Answer } from './answer.ts';
import type { HttpRequest } from './request.ts';

/** Returns the answer to a browser's preflight, as API Gateway gives it; undefined for other requests. */
export const answerPreflight = ({ method }: Pick<HttpRequest, 'method'>): Answer | undefined => {
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

/** Adds the CORS headers to an answer for a browser. Other clients send no Origin and get none. */
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
