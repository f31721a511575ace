import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';
import type { Endpoint } from './parsed.ts';

/* Requests to an endpoint in three languages, made of the document. They run as they are, with a key in PAYMENTS_KEY. */

/** A sample with the language's names, for the highlighter and for people. */
export interface Sample {
  readonly language: 'sh' | 'js' | 'python';
  readonly title: string;
  readonly code: string;
}

interface Words {
  readonly text: (value: string) => string;
  readonly name: (value: string) => string;
  readonly others: Readonly<Record<string, string>>;
}

const doubleQuoted = (value: string): string => JSON.stringify(value);
const singleQuoted = (value: string): string =>
  value.includes("'") ? doubleQuoted(value) : `'${doubleQuoted(value).slice(1, -1).replaceAll('\\"', '"')}'`;

const JSON_WORDS: Words = { text: doubleQuoted, name: doubleQuoted, others: {} };
const JAVASCRIPT: Words = {
  text: singleQuoted,
  name: (value) => (/^[A-Za-z_]\w*$/.test(value) ? value : singleQuoted(value)),
  others: {},
};
const PYTHON: Words = {
  text: doubleQuoted,
  name: doubleQuoted,
  others: { true: 'True', false: 'False', null: 'None' },
};

const INDENT = '  ';
/** Objects and lists of at most so many characters stay on their line. */
const SHORT = 48;

/** A value written in a language, its further lines indented by `indent`. */
const literal = (value: unknown, words: Words, step = INDENT, indent = ''): string => {
  if (typeof value === 'string') return words.text(value);
  if (typeof value !== 'object' || value === null) return words.others[String(value)] ?? String(value);
  const deeper = indent + step;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Object.entries(value).map(([name, one]) => {
    const written = literal(one, words, step, deeper);
    return Array.isArray(value) ? written : `${words.name(name)}: ${written}`;
  });
  if (parts.length === 0) return open + close;
  const line = open === '[' ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  const isOuter = indent === '' || open === '{';
  if (!line.includes('\n') && line.length <= SHORT && !isOuter) return line;
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
};

/** A value as JSON, short lists on one line. */
export const jsonOf = (value: unknown): string => literal(value, JSON_WORDS);

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** What a sample has to send. */
interface Sent {
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
export const successTypeOf = ({ responses }: Endpoint): string | undefined => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return Object.keys(success?.[1].content ?? {})[0];
};

/** The examples of a request's body. */
export const bodiesOf = ({ requestBody }: Endpoint) =>
  Object.values(Object.values(requestBody?.content ?? {})[0]?.examples ?? {});

const sentOf = (endpoint: Endpoint): Sent => ({
  url: urlOf(endpoint),
  hasKey: endpoint.security.length > 0,
  takesIdempotencyKey: endpoint.parameters.some(({ name }) => name === 'Idempotency-Key'),
  body: bodiesOf(endpoint)[0]?.value,
  answersJson: successTypeOf(endpoint) === 'application/json',
});

const curl = ({ method }: Endpoint, { url, hasKey, takesIdempotencyKey, body }: Sent): string =>
  [
    // Of a failure it prints status and body, and it ends with an error.
    `curl -sS --fail-with-body ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}"${url}"`,
    ...(hasKey ? ['-H "Authorization: Bearer $PAYMENTS_KEY"'] : []),
    ...(takesIdempotencyKey ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${jsonOf(body).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');

const node = ({ method }: Endpoint, { url, hasKey, takesIdempotencyKey, body, answersJson }: Sent): string => {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample's own template.
    ...(hasKey ? ['Authorization: `Bearer ${process.env.PAYMENTS_KEY}`'] : []),
    ...(takesIdempotencyKey ? ["'Idempotency-Key': crypto.randomUUID()"] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: {\n    ${headers.join(',\n    ')},\n  }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(literal(body, JAVASCRIPT), INDENT)})`]),
  ];
  const call = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  const read = answersJson
    ? 'const answer = await response.json();\nconsole.log(response.status, answer);\nif (!response.ok) process.exitCode = 1; // `code` says why, and `errors` what is wrong'
    : 'console.log(response.status, await response.text());\nif (!response.ok) process.exitCode = 1; // an error is JSON with `code` and `errors`';
  return `const response = await fetch('${url}'${call});\n${read}`;
};

const python = ({ method }: Endpoint, { url, hasKey, takesIdempotencyKey, body, answersJson }: Sent): string => {
  const headers = [
    ...(hasKey ? ['"Authorization": f"Bearer {os.environ[\'PAYMENTS_KEY\']}"'] : []),
    ...(takesIdempotencyKey ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
  ];
  const step = INDENT.repeat(2);
  const lines = [
    `"${url}"`,
    ...(headers.length === 0 ? [] : [`headers={\n        ${headers.join(',\n        ')},\n    }`]),
    ...(body === undefined ? [] : [`json=${indented(literal(body, PYTHON, step), step)}`]),
    'timeout=30',
  ];
  const imports = [...(hasKey ? ['os'] : []), ...(takesIdempotencyKey ? ['uuid'] : [])].map((one) => `import ${one}\n`);
  return `${imports.join('')}${imports.length > 0 ? '\n' : ''}import requests

response = requests.${method.toLowerCase()}(
    ${lines.join(',\n    ')},
)
print(response.status_code, response.${answersJson ? 'json()' : 'text'})${answersJson ? '  # an error has `code`, and `errors` what is wrong' : ''}
if not response.ok:
    raise SystemExit(1)`;
};

/** The samples of an endpoint. */
export const samplesOf = (endpoint: Endpoint): readonly Sample[] => {
  const sent = sentOf(endpoint);
  return [
    { language: 'sh', title: 'curl', code: curl(endpoint, sent) },
    { language: 'js', title: 'Node', code: node(endpoint, sent) },
    { language: 'python', title: 'Python', code: python(endpoint, sent) },
  ];
};
