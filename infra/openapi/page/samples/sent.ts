import type { Endpoint } from '#infra/openapi/page/parsed.ts';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';

/* What the samples of an endpoint have in common: what they send, as the document's examples have it. */

/** What a sample has to send. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly hasKey: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly body: unknown;
  readonly answersJson: boolean;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The example of a parameter, or what stands for it. */
const exampleOf = ({ example, name, schema }: Endpoint['parameters'][number]): string =>
  textOf(example ?? schema.default ?? schema.enum?.[0] ?? `{${name}}`);

const urlOf = ({ path, parameters }: Endpoint): string => {
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((at, one) => at.replace(`{${one.name}}`, encodeURIComponent(exampleOf(one))), path);
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required || one.example !== undefined))
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`);
  return SERVER_PLACEHOLDER + filled + (query.length > 0 ? `?${query.join('&')}` : '');
};

/** The media type of an endpoint's success. */
const successTypeOf = ({ responses }: Endpoint): string | undefined => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return Object.keys(success?.[1].content ?? {})[0];
};

/** The examples of a request's body. */
export const bodiesOf = ({ requestBody }: Endpoint) =>
  Object.values(Object.values(requestBody?.content ?? {})[0]?.examples ?? {});

/** The first example of an endpoint, which its samples send. */
export const sentOf = (endpoint: Endpoint): Sent => ({
  method: endpoint.method,
  url: urlOf(endpoint),
  hasKey: endpoint.security.length > 0,
  takesIdempotencyKey: endpoint.parameters.some(({ name }) => name === 'Idempotency-Key'),
  body: bodiesOf(endpoint)[0]?.value,
  answersJson: successTypeOf(endpoint) === 'application/json',
});
