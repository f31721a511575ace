import type { Endpoint } from '#infra/openapi/page/parsed.ts';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';

/* What the samples of an endpoint have in common: what they send, as the document's examples have it. */

/** What a sample has to send. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly hasKey: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly body: unknown;
  readonly answersJson: boolean;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The example of a parameter, or what stands for it. */
const chooseExample = ({ example, name, schema }: Endpoint['parameters'][number]): string =>
  toText(example ?? schema.default ?? schema.enum?.[0] ?? `{${name}}`);

const makeUrl = ({ path, parameters }: Endpoint): string => {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((at, parameter) => at.replace(`{${parameter.name}}`, encodeURIComponent(chooseExample(parameter))), path);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.example !== undefined))
    .map((parameter) => `${parameter.name}=${encodeURIComponent(chooseExample(parameter))}`);
  return SERVER_PLACEHOLDER + filled + (query.length > 0 ? `?${query.join('&')}` : '');
};

/** The media type of an endpoint's success. */
const findSuccessType = ({ responses }: Endpoint): string | undefined => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return Object.keys(success?.[1].content ?? {})[0];
};

/** The examples of a request's body. */
export const listBodies = ({ requestBody }: Endpoint) =>
  Object.values(Object.values(requestBody?.content ?? {})[0]?.examples ?? {});

/** The first example of an endpoint, which its samples send. */
export const makeSampleRequest = (endpoint: Endpoint): SampleRequest => ({
  method: endpoint.method,
  url: makeUrl(endpoint),
  hasKey: endpoint.security.length > 0,
  takesIdempotencyKey: endpoint.parameters.some(({ name }) => name === 'Idempotency-Key'),
  body: listBodies(endpoint)[0]?.value,
  answersJson: findSuccessType(endpoint) === 'application/json',
});
