import { indentLines, makeSyntax, quoteDouble, writeLiteral } from './literal.ts';
import type { SampleRequest } from './sent.ts';

const STEP = '\t';

/** Amounts need no type: in a map of `any`, Go makes an int of 5000 and a float64 of 8500.75. */
const GO = makeSyntax({
  words: { null: 'nil' },
  object: ['map[string]any{', '}'],
  list: ['[]any{', '}'],
  empty: 'map[string]any{}',
  endsWithComma: true,
  alignsValues: true,
});

const FAILS = 'if err != nil {\n\t\tlog.Fatal(err)\n\t}';

/** Makes a sample for Go with its standard library. */
export const go = ({ method, url, hasKey, takesIdempotencyKey, body, answersJson }: SampleRequest): string => {
  const hasBody = body !== undefined;
  const imports = [
    ...(hasBody ? ['bytes'] : []),
    ...(takesIdempotencyKey ? ['crypto/rand'] : []),
    ...(hasBody ? ['encoding/json'] : []),
    ...['fmt', 'io', 'log', 'net/http', 'os', 'time'],
  ];
  const headers = [
    ...(hasKey ? ['"Authorization", "Bearer "+os.Getenv("PAYMENTS_KEY")'] : []),
    ...(takesIdempotencyKey ? ['"Idempotency-Key", rand.Text()'] : []),
    ...(hasBody ? ['"Content-Type", "application/json"'] : []),
  ];
  const steps = [
    ...(hasBody ? [`body, err := json.Marshal(${indentLines(writeLiteral(body, GO, STEP), STEP)})`, FAILS] : []),
    `request, err := http.NewRequest("${method}", ${quoteDouble(url)}, ${hasBody ? 'bytes.NewReader(body)' : 'nil'})`,
    FAILS,
    ...headers.map((header) => `request.Header.Set(${header})`),
    'client := http.Client{Timeout: 30 * time.Second}',
    'response, err := client.Do(request)',
    FAILS,
    'defer response.Body.Close()',
    'answer, err := io.ReadAll(response.Body)',
    FAILS,
    'fmt.Println(response.StatusCode, string(answer))',
    `if response.StatusCode >= 300 {\n\t\tos.Exit(1) // ${answersJson ? 'see' : 'an error is JSON: see'} \`code\` and \`errors\`\n\t}`,
  ];
  return `package main

import (
${imports.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
${steps.map((step) => STEP + step).join('\n')}
}`;
};
