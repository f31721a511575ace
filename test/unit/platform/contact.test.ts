import { contact, contactEntry, contactWords } from '#shared/platform/kernel/contact.ts';

const EMAIL = 'integrations@payments.example.com';
const URL = 'https://payments.example.com/support';

describe('whom integrators ask', () => {
  test.each([[{ email: EMAIL }], [{ url: URL }], [{ email: EMAIL, url: URL }]])('is %j', (whom) => {
    expect(contact.parse(whom)).toEqual(whom);
  });

  test.each([
    [{}, 'must have an email, a url, or both; leave the contact out if there is neither'],
    [{ email: 'integrations' }, 'must be an e-mail address, such as integrations@example.com'],
    [{ email: `"><b>@example.com` }, 'must be an e-mail address, such as integrations@example.com'],
    [{ url: 'http://example.com' }, 'must be an https address, such as https://example.com/support'],
    [{ url: 'https://example.com/"><script>' }, 'must be an https address, such as https://example.com/support'],
    [{ url: 'https://ada@example.com/' }, 'must be an https address, such as https://example.com/support'],
    [{ url: 'https://example.com/a b' }, 'must be an https address, such as https://example.com/support'],
  ])('is not %j', (whom, message) => {
    expect(contact.safeParse(whom).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test('stands in a sentence with every way to reach them, or as nobody by name', () => {
    expect(contactWords(null)).toBe('whoever runs this service');
    expect(contactWords({ email: EMAIL })).toBe(`whoever runs this service (${EMAIL})`);
    expect(contactWords({ email: EMAIL, url: URL })).toBe(`whoever runs this service (${EMAIL}, ${URL})`);
  });

  test('stands in an API document with a name', () => {
    expect(contactEntry(null)).toEqual({ name: 'Whoever runs this service' });
    expect(contactEntry({ url: URL })).toEqual({ name: 'Whoever runs this service', url: URL });
  });
});
