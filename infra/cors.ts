/** The CORS rules of the API, for CDK and for the local gateway. */
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
  /** Seconds for which a browser may cache a preflight answer. Chrome allows no more. */
  maxAgeSeconds: 7_200,
} as const;
