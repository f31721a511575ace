import { targetChecker } from '#shared/webhooks/http-out/target-checker.ts';

const leadsTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const URL_TO_SAVE = 'https://hooks.adastores.example/payments';
const NOT_PUBLIC = 'must name a host on the public Internet; this one leads to an address that is not public.';
const NOT_FOUND = 'must name a host that can be found; no address is known for this one.';

describe('the check of a webhook URL before it is saved on a public stage', () => {
  test.each([
    ['accepts a host with one public address', ['102.89.23.17'], undefined],
    ['accepts a host with public addresses of both families', ['102.89.23.17', '2606:4700:4700::1111'], undefined],
    ['rejects a host with a private address', ['10.0.0.7'], NOT_PUBLIC],
    ['rejects a host with the loopback address', ['127.0.0.1'], NOT_PUBLIC],
    ['rejects a host with the address of the metadata service', ['169.254.169.254'], NOT_PUBLIC],
    ['rejects a host with a public and a private address', ['102.89.23.17', '192.168.1.4'], NOT_PUBLIC],
    ['rejects a host with a private IPv4 address inside IPv6', ['64:ff9b::a00:7'], NOT_PUBLIC],
    ['rejects a host without an address', [], NOT_FOUND],
  ])('%s', async (_, addresses, problem) => {
    expect(await targetChecker('public', leadsTo(...addresses))(URL_TO_SAVE)).toBe(problem);
  });

  test('rejects a host if its look-up fails', async () => {
    const failing = async () => Promise.reject(Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' }));
    expect(await targetChecker('public', failing)(URL_TO_SAVE)).toBe(
      'must name a host that can be found; the name servers of this one gave no A or AAAA address.',
    );
  });

  test('rejects a malformed URL before it asks any name server', async () => {
    const never = async () => Promise.reject(new Error('A name server was asked.'));
    expect(await targetChecker('public', never)('http://127.0.0.1/hook')).toMatch(/^must /);
  });
});

test('a stage that allows any target asks no name server', async () => {
  const never = async () => Promise.reject(new Error('A name server was asked.'));
  expect(await targetChecker('any', never)('http://127.0.0.1:4000/hook')).toBeUndefined();
});
