import { contact, contactEntry, contactWords } from '#shared/platform/kernel/contact.ts';

const EMAIL = 'integrations@payments.example.com';
const URL = 'https://payments.example.com/support';

describe('the contact for integrators', () => {
  test.each([[{ email: EMAIL }], [{ url: URL }], [{ email: EMAIL, url: URL }]])('may be %j', (input) => {
    expect(contact.parse(input)).toEqual(input);
  });

  test.each([
    [{}, 'must have an email, a url, or both; leave the contact out if there is neither'],
    [{ email: 'integrations' }, 'must be an e-mail address, such as integrations@example.com'],
    [{ email: `"><b>@example.com` }, 'must be an e-mail address, such as integrations@example.com'],
    [{ url: 'http://example.com' }, 'must be an https address, such as https://example.com/support'],
    [{ url: 'https://example.com/"><script>' }, 'must be an https address, such as https://example.com/support'],
    [{ url: 'https://ada@example.com/' }, 'must be an https address, such as https://example.com/support'],
    [{ url: 'https://example.com/a b' }, 'must be an https address, such as https://example.com/support'],
  ])('may not be %j', (input, message) => {
    expect(contact.safeParse(input).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test('is described with each of its addresses, or only as whoever runs this service', () => {
    expect(contactWords(null)).toBe('whoever runs this service');
    expect(contactWords({ email: EMAIL })).toBe(`whoever runs this service (${EMAIL})`);
    expect(contactWords({ email: EMAIL, url: URL })).toBe(`whoever runs this service (${EMAIL}, ${URL})`);
  });

  test('has a name in an API document', () => {
    expect(contactEntry(null)).toEqual({ name: 'Whoever runs this service' });
    expect(contactEntry({ url: URL })).toEqual({ name: 'Whoever runs this service', url: URL });
  });
});
