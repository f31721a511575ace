import { INDENT, indentLines, makeSyntax, quoteDouble, writeLiteral } from './literal.ts';
import type { SampleRequest } from './sent.ts';

const quoteSingle = (value: string): string =>
  value.includes("'") ? quoteDouble(value) : `'${quoteDouble(value).slice(1, -1).replaceAll('\\"', '"')}'`;

const JAVASCRIPT = makeSyntax({
  writeText: quoteSingle,
  writeName: (value) => (/^[A-Za-z_]\w*$/.test(value) ? value : quoteSingle(value)),
});

/** Makes a sample for Node. */
export const node = ({ method, url, hasKey, takesIdempotencyKey, body, answersJson }: SampleRequest): string => {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample's own template.
    ...(hasKey ? ['Authorization: `Bearer ${process.env.PAYMENTS_KEY}`'] : []),
    ...(takesIdempotencyKey ? ["'Idempotency-Key': crypto.randomUUID()"] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: {\n    ${headers.join(',\n    ')},\n  }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indentLines(writeLiteral(body, JAVASCRIPT), INDENT)})`]),
  ];
  const call = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  const read = answersJson
    ? 'const answer = await response.json();\nconsole.log(response.status, answer);\nif (!response.ok) process.exitCode = 1; // see `code` and `errors`'
    : 'console.log(response.status, await response.text());\nif (!response.ok) process.exitCode = 1; // an error is JSON: see `code` and `errors`';
  return `const response = await fetch('${url}'${call});\n${read}`;
};
