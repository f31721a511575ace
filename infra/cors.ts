/** What browsers may do with the API (api-decisions.md section 1), for CDK and for the local gateway. */
export const CORS = {
  allowOrigin: '*',
  allowHeaders: ['authorization', 'content-type', 'x-business-id', 'idempotency-key'],
  allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
  exposeHeaders: [
    'x-request-id',
    'retry-after',
    'idempotent-replayed',
    'ratelimit',
    'ratelimit-policy',
    'x-next-cursor',
  ],
  /** How long a browser may remember a preflight answer; Chrome's own ceiling. */
  maxAgeSeconds: 7_200,
} as const;
