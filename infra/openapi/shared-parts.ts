import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import { type Code, errorExample } from './errors.ts';
import { BUSINESS_ID, REQUEST_ID } from './examples/objects.ts';

/* The parts of the document that many operations share. */

const textHeader = (description: string, example: string, schema: object = {}) => ({
  description,
  schema: { type: 'string', ...schema } as const,
  example,
});

/** The response headers. */
export const HEADERS = {
  RequestId: textHeader('Identifies this request in our logs. Quote it when you contact us.', REQUEST_ID),
  RateLimit: textHeader(
    'For each limit: the requests that are left (`r`), and the seconds until it starts anew (`t`).',
    '"key";r=97;t=1',
  ),
  RateLimitPolicy: textHeader(
    'For each limit: the number of requests (`q`) in a number of seconds (`w`).',
    '"key";q=100;w=1',
  ),
  WwwAuthenticate: textHeader('A request needs an API key as a Bearer token.', 'Bearer'),
  RetryAfter: textHeader('Seconds to wait before you try again.', '1', { pattern: '^\\d+$' }),
  IdempotentReplayed: textHeader(
    'This is the stored answer to the first request with this `Idempotency-Key`. Nothing was done again.',
    'true',
    { enum: ['true'] },
  ),
  NextCursor: textHeader(
    'Send it as `cursor` to get the next rows. Absent if there are no more.',
    '8cQz1nV0m7yqW1o6f3J8XzE3NjM2Mzk0NDI',
  ),
  ETag: textHeader(
    'Identifies this version. Send it as `If-None-Match` the next time: the answer is 304 if nothing changed.',
    'W/"Qm1hS3lD"',
  ),
  ContentDisposition: textHeader(
    'The file name that a browser suggests.',
    'attachment; filename="payments.postman_collection.json"',
  ),
} as const;

/** The request headers. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to send this request again: see *Idempotency*. 1 to 255 visible ASCII characters without a comma, such as a UUID. Quotes around it are ignored.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'c1a4e8f2-7d0b-4a5e-9b3f-2f6d8e1c7a90',
  },
  BusinessId: {
    name: 'X-Business-ID',
    in: 'header',
    description: 'The id of your business. Required with a public key, ignored with a secret key.',
    schema: { type: 'string' },
    example: BUSINESS_ID,
  },
} as const;

/** The ways to authenticate a request. */
export const SECURITY_SCHEMES = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: '`sk_live_…` or `sk_test_…`. For your servers only. It may call every endpoint.',
  },
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`pk_live_…` or `pk_test_…`, together with the header `X-Business-ID`. For browsers and apps. It may only start checkouts.',
  },
} as const;

/** The general example of each API error. An endpoint with a message or details of its own has its own example. */
export const ERROR_EXAMPLES = Object.fromEntries(
  (Object.keys(API_ERRORS) as Code[]).map((code) => [code, errorExample(code)]),
);

/** Makes a reference to a component of the document. */
export const ref = (kind: 'headers' | 'examples' | 'parameters' | 'schemas', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});
