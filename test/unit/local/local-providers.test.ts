import { readProviders } from '#infra/local/providers/read-providers.ts';

const KORAPAY = '{"korapay": {"bank": "000"}}';

describe('the providers that npm start finds in the environment', () => {
  const start = (env: Record<string, string>) => {
    const said: string[] = [];
    const { settings, defaultProvider } = readProviders(env, (line) => said.push(line));
    return { said, enabled: Object.keys(JSON.parse(settings)), defaultProvider };
  };

  test('are enabled with their credentials, without a word', () => {
    const env = { PROVIDERS: KORAPAY, KORAPAY_CREDENTIALS: '{"secretKey": "sk_test_1"}' };
    expect(start(env)).toEqual({ said: [], enabled: ['korapay'], defaultProvider: 'korapay' });
    expect(start({})).toEqual({ said: [], enabled: [], defaultProvider: 'paystack' });
  });

  test.each([
    ['is no JSON', '{"korapay": ', `PROVIDERS must be JSON, e.g. PROVIDERS='${KORAPAY}'.`],
    ['misspells a setting', '{"korapay": {"bnak": "000"}}', 'Correct PROVIDERS: korapay: Unrecognized key: "bnak". '],
    ['names nobody', '{"korapai": {}}', 'Correct PROVIDERS: Unrecognized key: "korapai". '],
    [
      'leaves a setting out',
      '{"paystack": {}}',
      'Correct PROVIDERS: paystack.customerEmailDomain: Invalid input: expected ',
    ],
  ])('keep the stack from starting with a sentence when PROVIDERS %s', (_, PROVIDERS, sentence) => {
    expect(() => start({ PROVIDERS })).toThrow(sentence);
  });

  test.each([
    ['are missing', '', 'The variable KORAPAY_CREDENTIALS has no value.'],
    ['are no JSON', 'sk_test_bare', 'The variable KORAPAY_CREDENTIALS does not hold JSON.'],
    ['lack a field', '{"key": "sk_test_1"}', 'The variable KORAPAY_CREDENTIALS lacks secretKey.'],
  ])('are switched off in one line when their credentials %s', (_, KORAPAY_CREDENTIALS, missing) => {
    const { said, enabled } = start({ PROVIDERS: KORAPAY, KORAPAY_CREDENTIALS });
    expect(enabled).toEqual([]);
    expect(said).toEqual([
      `korapay is switched off. ${missing} Put a JSON object with secretKey there. docs/operating/secrets.md shows how.`,
    ]);
  });
});
