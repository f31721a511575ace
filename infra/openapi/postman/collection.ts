import { endpoint as webhookEndpoint } from '#infra/openapi/examples/objects.ts';
import { type Endpoint, type ParsedDocument, parseDocument } from '#infra/openapi/page/parsed.ts';
import { formatJson } from '#infra/openapi/page/samples/literal.ts';
import { listBodies } from '#infra/openapi/page/samples/sent.ts';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';
import { FOLDERS, ID_PREFIXES, type Step } from './steps.ts';

/* Makes a Postman collection (format v2.1) from the API document. Its requests can run one after another without changes. */

/** The identifier of the collection format in Postman's schema. */
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const DESCRIPTION = `Set the collection variable \`bearerToken\` to a secret **test** key, and run the folders from top to bottom: each request saves the ids that later requests need. Set \`webhook_url\` to a server of yours before you run *Webhook endpoints*. \`baseUrl\` is the service that you downloaded the collection from.`;

/** Replacements for values in the bodies' examples. The examples' own values would fail in a second run, grow old, or lead to no real server. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  merchant_reference: 'ORDER-{{$timestamp}}',
  since: '{{$isoTimestamp}}',
  url: '{{webhook_url}}',
};

/** Finds the Postman variable for an id. */
const findVariable = (id: unknown): string | undefined => {
  const [name] = Object.entries(ID_PREFIXES).find(([, start]) => String(id).startsWith(start)) ?? [];
  return name && `{{${name}}}`;
};

const fillIn = (name: string, value: unknown): unknown => REPLACEMENTS[name] ?? findVariable(value) ?? value;

const makeBody = (endpoint: Endpoint, index: number): object | undefined => {
  const { value } = listBodies(endpoint)[index] ?? {};
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = Object.entries(value).map(([name, field]) => [name, fillIn(name, field)]);
  return { mode: 'raw', raw: formatJson(Object.fromEntries(fields)), options: { raw: { language: 'json' } } };
};

const makeUrl = ({ path, parameters }: Endpoint): object => {
  const parts = path
    .slice(1)
    .split('/')
    .map((part) => {
      const parameter = parameters.find(({ name }) => part === `{${name}}`);
      return parameter ? String(fillIn(parameter.name, parameter.example)) : part;
    });
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description, example, required }) => ({
      key: name,
      value: example === undefined ? '' : String(example),
      description,
      disabled: required !== true,
    }));
  const enabled = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const raw = `{{baseUrl}}/${parts.join('/')}${enabled.length > 0 ? `?${enabled.join('&')}` : ''}`;
  return { raw, host: ['{{baseUrl}}'], path: parts, query };
};

const makeHeaders = ({ parameters }: Endpoint, hasBody: boolean): readonly object[] => [
  ...(hasBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
  ...parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, description, example }) =>
      name === 'Idempotency-Key'
        ? { key: name, value: '{{$guid}}', description }
        : { key: name, value: String(example ?? ''), description, disabled: true },
    ),
];

const makeScript = (listen: string, lines: readonly string[]): object => ({
  listen,
  script: { type: 'text/javascript', exec: lines },
});

const makeItem = ({ endpoints }: ParsedDocument, { operationId, example = 0, savedVariables = {} }: Step): object => {
  const endpoint = endpoints.find((each) => each.operationId === operationId);
  if (!endpoint) throw new Error(`The API document has no operation ${operationId}.`);
  const body = makeBody(endpoint, example);
  const lines = Object.entries(savedVariables).map(
    ([name, place]) =>
      `if (pm.response.code < 300) pm.collectionVariables.set('${name}', pm.response.json().${place});`,
  );
  const note = example === 0 ? '' : `: ${listBodies(endpoint)[example]?.summary?.toLowerCase()}`;
  return {
    name: endpoint.summary + note,
    ...(lines.length > 0 && { event: [makeScript('test', lines)] }),
    request: {
      method: endpoint.method,
      header: makeHeaders(endpoint, body !== undefined),
      url: makeUrl(endpoint),
      description: endpoint.description,
      ...(body && { body }),
    },
    response: [],
  };
};

/**
 * Makes the collection as a JSON object.
 * @throws Error if a step names an operation that the document does not have.
 */
export const makePostmanCollection = (document: ParsedDocument = parseDocument()): object => ({
  info: { name: document.info.title, description: DESCRIPTION, schema: FORMAT },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{bearerToken}}', type: 'string' }] },
  event: [
    makeScript('test', ["pm.test('The request succeeds', () => pm.expect(pm.response.code).to.be.within(200, 299));"]),
  ],
  variable: [
    { key: 'baseUrl', value: SERVER_PLACEHOLDER },
    { key: 'bearerToken', value: '' },
    { key: 'webhook_url', value: webhookEndpoint.url },
    ...Object.keys(ID_PREFIXES).map((key) => ({ key, value: '' })),
  ],
  item: FOLDERS.map(({ name, description, steps }) => ({
    name,
    description,
    item: steps.map((step) => makeItem(document, step)),
  })),
});
