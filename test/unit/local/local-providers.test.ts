import { readProviders } from '#infra/local/providers/read-providers.ts';

const KORAPAY = '{"korapay": {"bank": "000"}}';

describe('the providers that npm start finds in the environment', () => {
  const readEnvironment = (env: Record<string, string>) => {
    const lines: string[] = [];
    const { settings, defaultProvider } = readProviders(env, (line) => lines.push(line));
    return { lines, enabled: Object.keys(JSON.parse(settings)), defaultProvider };
  };

  test('are enabled if settings and credentials are complete, and then nothing is printed', () => {
    const env = { PROVIDERS: KORAPAY, KORAPAY_CREDENTIALS: '{"secretKey": "sk_test_1"}' };
    expect(readEnvironment(env)).toEqual({ lines: [], enabled: ['korapay'], defaultProvider: 'korapay' });
    expect(readEnvironment({})).toEqual({ lines: [], enabled: [], defaultProvider: 'paystack' });
  });

  test.each([
    ['is not JSON', '{"korapay": ', `PROVIDERS must be JSON, e.g. PROVIDERS='${KORAPAY}'.`],
    ['misspells a setting', '{"korapay": {"bnak": "000"}}', 'Correct PROVIDERS: korapay: Unrecognized key: "bnak". '],
    ['names an unknown provider', '{"korapai": {}}', 'Correct PROVIDERS: Unrecognized key: "korapai". '],
    [
      'leaves a setting out',
      '{"paystack": {}}',
      'Correct PROVIDERS: paystack.customerEmailDomain: Invalid input: expected ',
    ],
  ])('prevent the start of the local stack, with a sentence, if PROVIDERS %s', (_, PROVIDERS, sentence) => {
    expect(() => readEnvironment({ PROVIDERS })).toThrow(sentence);
  });

  test.each([
    ['are missing', '', 'The variable KORAPAY_CREDENTIALS has no value.'],
    ['are not JSON', 'sk_test_bare', 'The variable KORAPAY_CREDENTIALS does not hold JSON.'],
    ['lack a field', '{"key": "sk_test_1"}', 'The variable KORAPAY_CREDENTIALS lacks secretKey.'],
  ])('stay off, with one line, if their credentials %s', (_, KORAPAY_CREDENTIALS, missing) => {
    const { lines, enabled } = readEnvironment({ PROVIDERS: KORAPAY, KORAPAY_CREDENTIALS });
    expect(enabled).toEqual([]);
    expect(lines).toEqual([
      `korapay is off. ${missing} Put a JSON object with secretKey there. docs/operating/secrets.md shows how.`,
    ]);
  });
});
