import { targetChecker } from '#shared/webhooks/http-out/target-checker.ts';

const leadsTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const URL_TO_SAVE = 'https://hooks.adastores.example/payments';
const NOT_PUBLIC = 'must name a host on the public Internet; this one leads to an address that is not public.';
const NOT_FOUND = 'must name a host that can be found; no address is known for this one.';

describe('a webhook URL, when it is saved on a public stage,', () => {
  test.each([
    ['one public address', ['102.89.23.17'], undefined],
    ['public addresses of both families', ['102.89.23.17', '2606:4700:4700::1111'], undefined],
    ['a private address', ['10.0.0.7'], NOT_PUBLIC],
    ['the loopback', ['127.0.0.1'], NOT_PUBLIC],
    ['the metadata service', ['169.254.169.254'], NOT_PUBLIC],
    ['a public and a private address', ['102.89.23.17', '192.168.1.4'], NOT_PUBLIC],
    ['IPv4 hidden in IPv6', ['64:ff9b::a00:7'], NOT_PUBLIC],
    ['nothing', [], NOT_FOUND],
  ])('whose name leads to %s', async (_, addresses, problem) => {
    expect(await targetChecker('public', leadsTo(...addresses))(URL_TO_SAVE)).toBe(problem);
  });

  test('whose addresses cannot be learnt is refused', async () => {
    const failing = async () => Promise.reject(Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' }));
    expect(await targetChecker('public', failing)(URL_TO_SAVE)).toBe(
      'must name a host that can be found; the name servers of this one gave no A or AAAA address.',
    );
  });

  test('is refused for its form before any name server is asked', async () => {
    const never = async () => Promise.reject(new Error('A name server was asked.'));
    expect(await targetChecker('public', never)('http://127.0.0.1/hook')).toMatch(/^must /);
  });
});

test('a stage that allows any target asks no name server', async () => {
  const never = async () => Promise.reject(new Error('A name server was asked.'));
  expect(await targetChecker('any', never)('http://127.0.0.1:4000/hook')).toBeUndefined();
});
