import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import { type Code, errorExample } from './errors.ts';
import { BUSINESS_ID, REQUEST_ID } from './examples/objects.ts';

/* The parts that many operations refer to. */

const text = (description: string, example: string, schema: object = {}) => ({
  description,
  schema: { type: 'string', ...schema } as const,
  example,
});

/** The headers of answers. */
export const HEADERS = {
  RequestId: text('Names this request in our logs. Quote it when you contact us.', REQUEST_ID),
  RateLimit: text('How much of each limit is left (`r`), and for how many seconds (`t`).', '"key";r=97;t=1'),
  RateLimitPolicy: text('How many requests (`q`) each limit takes in how many seconds (`w`).', '"key";q=100;w=1'),
  WwwAuthenticate: text('How a request authenticates itself: with a key, as a Bearer token.', 'Bearer'),
  RetryAfter: text('Seconds to wait before you try again.', '1', { pattern: '^\\d+$' }),
  IdempotentReplayed: text(
    'This is the answer to the first request with this `Idempotency-Key`; nothing was done again.',
    'true',
    { enum: ['true'] },
  ),
  NextCursor: text(
    'Send it as `cursor` to get the rows that follow; absent with the last ones.',
    '8cQz1nV0m7yqW1o6f3J8XzE3NjM2Mzk0NDI',
  ),
  ETag: text(
    'Identifies this version. Send it back as `If-None-Match` to get a 304 if nothing changed.',
    'W/"Qm1hS3lD"',
  ),
  ContentDisposition: text(
    'The name under which a browser keeps the file.',
    'attachment; filename="payments.postman_collection.json"',
  ),
} as const;

/** The headers of requests. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to send this request again: see *Idempotency*. 1 to 255 visible ASCII characters, such as a UUID; quotes around it are no part of it.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'c1a4e8f2-7d0b-4a5e-9b3f-2f6d8e1c7a90',
  },
  BusinessId: {
    name: 'X-Business-ID',
    in: 'header',
    description: 'Your business. Required with a public key, not read with a secret one.',
    schema: { type: 'string' },
    example: BUSINESS_ID,
  },
} as const;

/** How a request is authenticated. */
export const SECURITY_SCHEMES = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: '`sk_live_…` or `sk_test_…`. For your servers only: it may call everything.',
  },
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`pk_live_…` or `pk_test_…`, together with the header `X-Business-ID`. For browsers and apps: it may start checkouts and nothing else.',
  },
} as const;

/** Every refusal without an endpoint's own message or details. */
export const ERROR_EXAMPLES = Object.fromEntries(
  (Object.keys(API_ERRORS) as Code[]).map((code) => [code, errorExample(code)]),
);

/** A reference to a component of the document. */
export const ref = (kind: 'headers' | 'examples' | 'parameters' | 'schemas', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});
