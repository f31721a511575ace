import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { API_ERRORS, errorBody } from '#shared/platform/contract/errors.ts';
import type { EndpointPage } from './endpoint-page.ts';
import { type Code, errorDetails, errorExample, groupByStatus, listErrorCodes } from './errors.ts';
import { ref } from './shared-parts.ts';

const UNAUTHENTICATED = 401;

const RATE_LIMIT_HEADERS = {
  RateLimit: ref('headers', 'RateLimit'),
  'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
};

const CHALLENGE = { 'WWW-Authenticate': ref('headers', 'WwwAuthenticate') };

/** Makes the headers of an answer. A 401 has no rate limit headers, because an invalid key has no limit. */
const makeHeaders = (status: number, more: object = {}): NonNullable<ZodOpenApiResponseObject['headers']> => ({
  'x-request-id': ref('headers', 'RequestId'),
  ...(status === UNAUTHENTICATED ? CHALLENGE : RATE_LIMIT_HEADERS),
  ...more,
});

const REPLAYED = { 'Idempotent-Replayed': ref('headers', 'IdempotentReplayed') };
const RETRY_AFTER = { 'Retry-After': ref('headers', 'RetryAfter') };

/** Whether one of these errors may be a replay: the stored answer to an earlier request with the same Idempotency-Key. */
const mayBeReplayed = ({ contract }: EndpointPage, codes: readonly Code[]): boolean =>
  contract.idempotent && codes.some((code) => API_ERRORS[code].stored);

const makeErrorResponse = (page: EndpointPage, status: number, codes: readonly Code[]): ZodOpenApiResponseObject => {
  const examples = codes.map((code) => {
    const details = errorDetails(page, code);
    return [code, details ? errorExample(code, details) : ref('examples', code)] as const;
  });
  const hasRetryAfter = codes.some((code) => API_ERRORS[code].mayWait);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: makeHeaders(status, { ...(mayBeReplayed(page, codes) && REPLAYED), ...(hasRetryAfter && RETRY_AFTER) }),
    content: { 'application/json': { schema: errorBody, examples: Object.fromEntries(examples) } },
  };
};

const makeRequestBody = ({ contract, requests }: EndpointPage): Pick<ZodOpenApiOperationObject, 'requestBody'> =>
  contract.body === null
    ? {}
    : {
        requestBody: {
          required: !contract.body.safeParse({}).success,
          content: { 'application/json': { schema: contract.body, examples: requests } },
        },
      };

const SECURITY = { secret: { secretKey: [] }, public: { publicKey: [] } };

/** Makes the OpenAPI operation of an endpoint from its contract and its page. */
export const makeOperation = (operationId: string, page: EndpointPage): ZodOpenApiOperationObject => {
  const { contract, tag, title, description, answers } = page;
  const { params, query, success, idempotent, keys } = contract;
  const errors = [...groupByStatus(listErrorCodes(contract))].map(
    ([status, codes]) => [String(status), makeErrorResponse(page, status, codes)] as const,
  );
  return {
    operationId,
    tags: [tag],
    summary: title,
    description: `${contract.summary}\n\n${description}`,
    security: keys.map((kind) => SECURITY[kind]),
    requestParams: { path: params as never, query: query as never },
    parameters: [
      ...(keys.includes('public') ? [ref('parameters', 'BusinessId')] : []),
      ...(idempotent ? [ref('parameters', 'IdempotencyKey')] : []),
    ],
    ...makeRequestBody(page),
    responses: {
      [success.status]: {
        description: 'Done.',
        headers: makeHeaders(success.status, {
          ...(idempotent && REPLAYED),
          ...(success.type !== undefined && { 'x-next-cursor': ref('headers', 'NextCursor') }),
        }),
        content: { [success.type ?? 'application/json']: { schema: success.body, examples: answers } },
      },
      ...Object.fromEntries(errors),
    },
  };
};
