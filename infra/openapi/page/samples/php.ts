import { indentLines, makeSyntax, writeLiteral } from './literal.ts';
import type { SampleRequest } from './sent.ts';

const STEP = '    ';

const quoteSingle = (value: string): string => `'${value.replaceAll(/[\\']/g, '\\$&')}'`;

const PHP = makeSyntax({
  writeText: quoteSingle,
  writeName: quoteSingle,
  separator: ' =>',
  object: ['[', ']'],
  // PHP would send `[]` as a list.
  empty: 'new stdClass()',
  endsWithComma: true,
});

/** Makes a sample for PHP with its curl extension. */
export const php = ({ method, url, hasKey, takesIdempotencyKey, body, answersJson }: SampleRequest): string => {
  const headers = [
    ...(hasKey ? ["'Authorization: Bearer ' . getenv('PAYMENTS_KEY')"] : []),
    ...(takesIdempotencyKey ? ["'Idempotency-Key: ' . bin2hex(random_bytes(16))"] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}'`]),
    ...(headers.length === 0 ? [] : [`CURLOPT_HTTPHEADER => [\n        ${headers.join(',\n        ')},\n    ]`]),
    ...(body === undefined
      ? []
      : [`CURLOPT_POSTFIELDS => json_encode(${indentLines(writeLiteral(body, PHP, STEP), STEP)})`]),
    'CURLOPT_RETURNTRANSFER => true',
    'CURLOPT_TIMEOUT => 30',
  ];
  return `<?php
$curl = curl_init('${url}');
curl_setopt_array($curl, [
    ${options.join(',\n    ')},
]);
$answer = curl_exec($curl);
if ($answer === false) {
    throw new RuntimeException(curl_error($curl));
}
$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
echo $status, ' ', $answer, PHP_EOL;
exit($status < 300 ? 0 : 1); // ${answersJson ? 'see' : 'an error is JSON: see'} \`code\` and \`errors\``;
};
