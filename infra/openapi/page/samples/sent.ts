import type { Endpoint } from '#infra/openapi/page/parsed.ts';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';

/* The request that all samples of an endpoint send, made from the document's examples. */

/** The request of a sample. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly hasKey: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly body: unknown;
  readonly answersJson: boolean;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Chooses a parameter's example, default or first value, or else its name in braces. */
const chooseExample = ({ example, name, schema }: Endpoint['parameters'][number]): string =>
  toText(example ?? schema.default ?? schema.enum?.[0] ?? `{${name}}`);

const makeUrl = ({ path, parameters }: Endpoint): string => {
  const filledPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (text, parameter) => text.replace(`{${parameter.name}}`, encodeURIComponent(chooseExample(parameter))),
      path,
    );
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.example !== undefined))
    .map((parameter) => `${parameter.name}=${encodeURIComponent(chooseExample(parameter))}`);
  return SERVER_PLACEHOLDER + filledPath + (query.length > 0 ? `?${query.join('&')}` : '');
};

/** Finds the media type of an endpoint's success. */
const findSuccessType = ({ responses }: Endpoint): string | undefined => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return Object.keys(success?.[1].content ?? {})[0];
};

/** Lists the examples of a request's body. */
export const listBodies = ({ requestBody }: Endpoint) =>
  Object.values(Object.values(requestBody?.content ?? {})[0]?.examples ?? {});

/** Makes the request of an endpoint's samples, with the first example of its body. */
export const makeSampleRequest = (endpoint: Endpoint): SampleRequest => ({
  method: endpoint.method,
  url: makeUrl(endpoint),
  hasKey: endpoint.security.length > 0,
  takesIdempotencyKey: endpoint.parameters.some(({ name }) => name === 'Idempotency-Key'),
  body: listBodies(endpoint)[0]?.value,
  answersJson: findSuccessType(endpoint) === 'application/json',
});
