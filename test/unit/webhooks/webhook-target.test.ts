import { localTargetNote, targetProblem } from '#shared/webhooks/domain/target.ts';

const INVALID = 'must be a valid https URL; a local stack also takes http, such as http://localhost:4000/webhooks.';
const MISREAD = 'must hold no spaces, control characters, unpaired surrogates or backslashes.';
const USER_INFO = 'must hold no user name or password.';
const FRAGMENT = 'must hold no fragment: what follows a "#" is never sent.';
const LITERAL = 'must name its host; an IP address is not accepted.';
const FULL_NAME = 'must name its host in full, such as hooks.example.com, with no dot at the end.';
const PORT = 'must use port 443 or a port from 1024 on.';
const LONG = 'must have at most 2,048 characters.';
const notInternet = (name: string): string =>
  `must name a host on the public Internet; names under "${name}" are not public.`;

const buildUrl = (length: number): string => 'https://hooks.example.com/'.padEnd(length, 'a');

describe('a webhook URL on a stage that allows only public targets', () => {
  test.each([
    'https://example.com',
    'HTTPS://Hooks.Example.COM/Webhooks',
    'https://ada.example/webhooks?token=1%20two&x=@',
    'https://shop.example.com/a@b',
    'https://shop.example.com/?next=https://ada@example.com/',
    'https://shop.x/',
    'https://example.com:443/',
    'https://example.com:1024/',
    'https://example.com:8443/',
    'https://example.com:65535/',
    'https://xn--mnchen-3ya.example/',
    'https://münchen.example/',
    'https://a-1.b--c.example/',
    'https://localhost.example.com/',
    'https://127.0.0.1.nip.example/',
    'https://internal.example.com/',
    'https://my.notlocal/',
    `https://${'a'.repeat(63)}.example/`,
    buildUrl(2_048),
  ])('may be %p', (url) => {
    expect(targetProblem(url, 'public')).toBeUndefined();
  });

  test.each([
    // Form
    ['', INVALID],
    ['example.com/webhooks', INVALID],
    ['//example.com/webhooks', INVALID],
    ['http://example.com/', INVALID],
    ['ftp://example.com/', INVALID],
    ['wss://example.com/', INVALID],
    ['file:///etc/passwd', INVALID],
    ['javascript:alert(1)', INVALID],
    ['https:example.com', INVALID],
    ['https:/example.com', INVALID],
    ['https:///example.com', INVALID],
    ['https://', INVALID],
    ['https://example.com:65536/', INVALID],
    ['https://example.com:x/', INVALID],
    ['https://exa%00mple.com/', INVALID],
    ['https://127.0.0.1%2f.example.com/', INVALID],
    ['https://hooks.example.1/', INVALID],
    ['https://1.2.3.256/', INVALID],
    ['https://[fe80::1%25eth0]/', INVALID],
    ['https://[::1/', INVALID],
    [' https://example.com/', MISREAD],
    ['https://example.com/ ', MISREAD],
    ['https://example.com/\ud800', MISREAD],
    ['https://example.com/a b', MISREAD],
    ['https://exam\nple.com/', MISREAD],
    ['https://example.com/\tx', MISREAD],
    ['https://example.com/\u0000', MISREAD],
    ['https://example.com\\@127.0.0.1/', MISREAD],
    ['https://ada@example.com/', USER_INFO],
    ['https://ada:secret@example.com/', USER_INFO],
    ['https://@example.com/', USER_INFO],
    ['https://:@example.com/', USER_INFO],
    ['https://example.com@127.0.0.1/', USER_INFO],
    ['https://example.com/#', FRAGMENT],
    ['https://example.com/#@127.0.0.1', FRAGMENT],
    [buildUrl(2_049), LONG],
    // Addresses in every form
    ['https://127.0.0.1/', LITERAL],
    ['https://127.0.0.1:9001/', LITERAL],
    ['https://8.8.8.8/', LITERAL],
    ['https://192.168.100.200/', LITERAL],
    ['https://127.0.0.1./', LITERAL],
    ['https://2130706433/', LITERAL],
    ['https://0177.0.0.1/', LITERAL],
    ['https://0177.0.0.01/', LITERAL],
    ['https://017700000001/', LITERAL],
    ['https://0x7f.1/', LITERAL],
    ['https://0x7f.0x0.0x0.0x1/', LITERAL],
    ['https://0x7f000001/', LITERAL],
    ['https://127.1/', LITERAL],
    ['https://127.0.1/', LITERAL],
    ['https://0/', LITERAL],
    ['https://１２７.0.0.1/', LITERAL],
    ['https://127。0。0。1/', LITERAL],
    ['https://%31%32%37.0.0.1/', LITERAL],
    ['https://[::1]/', LITERAL],
    ['https://[::]/', LITERAL],
    ['https://[0:0:0:0:0:0:0:1]/', LITERAL],
    ['https://[::ffff:127.0.0.1]/', LITERAL],
    ['https://[::ffff:7f00:1]/', LITERAL],
    ['https://[64:ff9b::7f00:1]/', LITERAL],
    ['https://[2606:4700:4700::1111]/', LITERAL],
    // Names that are not on the Internet
    ['https://localhost/', notInternet('localhost')],
    ['https://LOCALHOST:8443/', notInternet('localhost')],
    ['https://localhost./', notInternet('localhost')],
    ['https://localhost../', notInternet('localhost')],
    ['https://ⓛocalhost/', notInternet('localhost')],
    ['https://a.localhost/', notInternet('localhost')],
    ['https://printer.local/', notInternet('local')],
    ['https://printer.local./', notInternet('local')],
    ['https://metadata.google.internal/', notInternet('internal')],
    ['https://ip-10-0-0-1.ec2.internal/', notInternet('internal')],
    ['https://nas.home.arpa/', notInternet('arpa')],
    ['https://ipv4only.arpa/', notInternet('arpa')],
    ['https://hooks.test/', notInternet('test')],
    ['https://hooks.invalid/', notInternet('invalid')],
    ['https://wiki.corp/', notInternet('corp')],
    ['https://router.home/', notInternet('home')],
    ['https://router.lan/', notInternet('lan')],
    ['https://x.intranet/', notInternet('intranet')],
    ['https://x.private/', notInternet('private')],
    ['https://x.mail/', notInternet('mail')],
    ['https://abcdef.onion/', notInternet('onion')],
    ['https://x.alt/', notInternet('alt')],
    // Incomplete names
    ['https://hooks/', FULL_NAME],
    ['https://example.com./', FULL_NAME],
    ['https://.example.com/', FULL_NAME],
    ['https://example..com/', FULL_NAME],
    ['https://./', FULL_NAME],
    ['https://*.example.com/', FULL_NAME],
    ['https://a_b.example.com/', FULL_NAME],
    ['https://-a.example.com/', FULL_NAME],
    ['https://a-.example.com/', FULL_NAME],
    [`https://${'a'.repeat(64)}.example/`, FULL_NAME],
    [`https://${'a.'.repeat(124)}example/`, FULL_NAME],
    // Ports
    ['https://example.com:0/', PORT],
    ['https://example.com:22/', PORT],
    ['https://example.com:25/', PORT],
    ['https://example.com:80/', PORT],
    ['https://example.com:1023/', PORT],
  ])('cannot be %p: it %s', (url, problem) => {
    expect(targetProblem(url, 'public')).toBe(problem);
  });
});

describe('a webhook URL on a stage that allows any target', () => {
  test.each([
    'http://127.0.0.1:3000/webhooks',
    'http://localhost/',
    'http://[::1]:80/',
    'https://hooks/',
    'https://example.com/?a=1',
    'http://host.docker.internal:3000/',
  ])('may be %p', (url) => {
    expect(targetProblem(url, 'any')).toBeUndefined();
  });

  test.each([
    ['', INVALID],
    ['ftp://127.0.0.1/', INVALID],
    ['http:127.0.0.1', INVALID],
    ['http:///127.0.0.1', INVALID],
    ['http://127.0.0.1:x/', INVALID],
    ['http://127.0.0.1/a b', MISREAD],
    ['http://ada:secret@127.0.0.1/', USER_INFO],
    ['http://127.0.0.1/#x', FRAGMENT],
    [`http://127.0.0.1/${'a'.repeat(2_048)}`, LONG],
  ])('cannot be %p: it %s', (url, problem) => {
    expect(targetProblem(url, 'any')).toBe(problem);
  });
});

test('a URL that works on one machine only comes with a note, and a URL of a public host does not', () => {
  expect(localTargetNote('https://hooks.example.com/webhooks')).toBeUndefined();
  expect(localTargetNote('http://localhost:4000/webhooks')).toBe(
    'This URL works on this machine only. A deployed stage accepts https URLs of public hosts.',
  );
});
