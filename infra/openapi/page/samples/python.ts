import { INDENT, indentLines, makeSyntax, writeLiteral } from './literal.ts';
import type { SampleRequest } from './sent.ts';

const PYTHON = makeSyntax({ words: { true: 'True', false: 'False', null: 'None' } });

/** Makes a sample for Python with `requests`. */
export const python = ({ method, url, hasKey, takesIdempotencyKey, body, answersJson }: SampleRequest): string => {
  const headers = [
    ...(hasKey ? ['"Authorization": f"Bearer {os.environ[\'PAYMENTS_KEY\']}"'] : []),
    ...(takesIdempotencyKey ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
  ];
  const step = INDENT.repeat(2);
  const lines = [
    `"${url}"`,
    ...(headers.length === 0 ? [] : [`headers={\n        ${headers.join(',\n        ')},\n    }`]),
    ...(body === undefined ? [] : [`json=${indentLines(writeLiteral(body, PYTHON, step), step)}`]),
    'timeout=30',
  ];
  const imports = [...(hasKey ? ['os'] : []), ...(takesIdempotencyKey ? ['uuid'] : [])].map(
    (name) => `import ${name}\n`,
  );
  return `${imports.join('')}${imports.length > 0 ? '\n' : ''}import requests

response = requests.${method.toLowerCase()}(
    ${lines.join(',\n    ')},
)
print(response.status_code, response.${answersJson ? 'json()' : 'text'})${answersJson ? '  # of an error, see `code` and `errors`' : ''}
if not response.ok:
    raise SystemExit(1)`;
};
