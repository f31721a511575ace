import type { ZodOpenApiMediaTypeObject, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { DashboardRoute, PayersRoute, Trigger } from '#infra/function-spec.ts';
import { errorBody } from '#shared/platform/contract/errors.ts';
import { type Code, errorExample, groupByStatus } from './errors.ts';
import { payment } from './examples/objects.ts';
import { providerTitles } from './provider-words.ts';
import { ref } from './shared-parts.ts';

type Route = Exclude<Extract<Trigger, { kind: 'route' }>['route'], '$default' | PayersRoute | DashboardRoute>;

const requestId = { 'x-request-id': ref('headers', 'RequestId') };

const makeErrors = (...codes: Code[]): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    [...groupByStatus(codes)].map(([status, codesOfStatus]) => [
      String(status),
      {
        description: codesOfStatus.map((code) => `\`${code}\``).join(', '),
        headers: requestId,
        content: {
          'application/json': {
            schema: errorBody,
            examples: Object.fromEntries(
              codesOfStatus.map((code) => [code, OWN_EXAMPLES[code] ?? ref('examples', code)]),
            ),
          },
        },
      },
    ]),
  );

/** Examples of error codes with another message than elsewhere. */
const OWN_EXAMPLES: Partial<Record<Code, object>> = {
  payload_too_large: errorExample('payload_too_large', { message: 'Notification exceeds 64 KiB.' }),
};

const makeAcknowledgement = (description: string): ZodOpenApiResponseObject => ({
  description,
  headers: requestId,
  content: {
    'application/json': { schema: ref('schemas', 'Acknowledgement'), examples: { ok: { value: { status: true } } } },
  },
});

/** The content of media types that are not a plain string. YAML has no schema, because some generators fail at a schema there. */
const CONTENT: Readonly<Record<string, ZodOpenApiMediaTypeObject>> = {
  'application/json': { schema: { type: 'object' } },
  'application/yaml': {},
};

const makePublishedResponses = (
  type: string,
  description: string,
  extraHeaders: NonNullable<ZodOpenApiResponseObject['headers']> = {},
): Record<string, ZodOpenApiResponseObject> => ({
  200: {
    description,
    headers: { ...requestId, ETag: ref('headers', 'ETag'), ...extraHeaders },
    content: { [type]: CONTENT[type] ?? { schema: { type: 'string' } } },
  },
  304: {
    description: 'Unchanged since the version in your `If-None-Match`.',
    headers: { ...requestId, ETag: ref('headers', 'ETag'), ...extraHeaders },
  },
  ...makeErrors('internal_error'),
});

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the version that you have.',
  schema: { type: 'string' },
} as const;

/** The operations of paths without an API key. A missing one fails the type check. */
export const SERVICE_OPERATIONS: Readonly<Record<Route, ZodOpenApiOperationObject>> = {
  'GET /health': {
    operationId: 'checkHealth',
    tags: ['Service'],
    summary: 'Check the service’s health',
    description: 'Answers 200 if the API runs.',
    security: [],
    responses: {
      200: makeAcknowledgement('The API runs.'),
      ...makeErrors('internal_error'),
    },
  },
  'GET /api/v1/openapi.json': {
    operationId: 'getOpenApiDocument',
    tags: ['Service'],
    summary: 'Get this document',
    description: 'The OpenAPI 3.1 document for tools. Its `servers` has the address that you called.',
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: makePublishedResponses('application/json', 'The document.'),
  },
  'GET /api/v1/openapi.yaml': {
    operationId: 'getOpenApiYaml',
    tags: ['Service'],
    summary: 'Get this document as YAML',
    description: 'The OpenAPI 3.1 document as YAML.',
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: makePublishedResponses('application/yaml', 'The document.'),
  },
  'GET /api/v1/postman.json': {
    operationId: 'getPostmanCollection',
    tags: ['Service'],
    summary: 'Download a collection for Postman',
    description:
      'A collection of all endpoints that take an API key. Its requests can run one after another. Set the variable `bearerToken` to a secret test key; `baseUrl` is the address that you called.',
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: makePublishedResponses('application/json', 'The collection in the format v2.1.', {
      'Content-Disposition': ref('headers', 'ContentDisposition'),
    }),
  },
  'GET /llms.txt': {
    operationId: 'getLlmsText',
    tags: ['Service'],
    summary: 'Get the guide as text',
    description:
      'The guide, and a line for each endpoint and webhook, as Markdown: for language models, and for people at a terminal.',
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: makePublishedResponses('text/plain', 'The text.'),
  },
  'GET /docs': {
    operationId: 'getDocumentation',
    tags: ['Service'],
    summary: 'Read this document',
    description: 'The guide and this document as pages for people. This is the first page, with links to the others.',
    security: [],
    parameters: [IF_NONE_MATCH],
    responses: makePublishedResponses('text/html', 'The page.'),
  },
  'POST /providers/{provider}/notifications': {
    operationId: 'receiveNotification',
    tags: ['Service'],
    summary: 'Report money (for providers)',
    description: `${providerTitles} report payments here. You never call it. The provider’s signature authenticates the request. It covers the raw body, or only the \`data\` in it. A report does not decide the amount of a payment: we ask the provider.`,
    security: [],
    parameters: [
      {
        name: 'provider',
        in: 'path',
        required: true,
        description: 'The provider that reports.',
        schema: ref('schemas', 'Provider'),
        example: payment.provider,
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', description: 'The body that the provider sends.' },
          examples: { charge: { value: { event: 'charge.success', data: { reference: 'PAY-LCSVC1BGZHIB6M8LGHWN' } } } },
        },
      },
    },
    responses: {
      200: makeAcknowledgement('The report was stored.'),
      ...makeErrors('invalid_signature', 'not_found', 'payload_too_large', 'internal_error'),
    },
  },
};
