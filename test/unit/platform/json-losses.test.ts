import fc from 'fast-check';
import { isHeldExactly, lossesIn } from '#shared/platform/kernel/json-losses.ts';

describe('a number of JSON', () => {
  test.each([
    ...['0', '-0', '-0.0', '0e5', '1', '-1', '1.10', '1.1', '1e2', '100', '1E+2', '0.1', '10e-1', '0.10e1', '4.35'],
    ...['9007199254740991', '9007199254740992', '-9007199254740994', '1e23', '1e300', '1e-200', '5e-324', '0.000001'],
    ...['123456789012345680000', '1.7976931348623157e308', '2.2250738585072014e-308', '0.12345678901234568'],
  ])('keeps its value: %s', (source) => {
    expect(isHeldExactly(source)).toBe(true);
  });

  test.each([
    ...['9007199254740993', '-9007199254740993', '9007199254740993.0', '12345678901234567890', '1e309', '-1e309'],
    ...['1e-400', '3e-324', '0.1234567890123456789', '0.10000000000000000001', '1.00000000000000000000001'],
    ...['9'.repeat(400), `0.${'1'.repeat(400)}`, '1180591620717411303424', '100000000000000000000001e-5'],
  ])('loses its value: %s', (source) => {
    expect(isHeldExactly(source)).toBe(false);
  });

  test('keeps its value if a program wrote it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) =>
        isHeldExactly(JSON.stringify(number)),
      ),
    );
  });
});

describe('the losses within a member of a JSON object', () => {
  const listLosses = (json: string): string[] => lossesIn(json, 'metadata').map(({ kind, path }) => `${kind} ${path}`);

  test.each<[string, string[]]>([
    ['{"metadata":{"order":{"id":9007199254740993}}}', ['number metadata.order.id']],
    [
      '{"metadata":{"ids":[1,[2,1e309],{"a":0.1234567890123456789}]}}',
      ['number metadata.ids.1.1', 'number metadata.ids.2.a'],
    ],
    ['{"metadata":9007199254740993}', ['number metadata']],
    ['{"metadata":{"a":1,"a":1}}', ['repeated_member metadata.a']],
    ['{"metadata":{"a":1,"\\u0061":{"b":[]}}}', ['repeated_member metadata.a']],
    ['{"metadata":{"a":{"b":1},"c":{"b":1}},"b":{"a":1,"a":2}}', []],
    ['{"metadata":{"__proto__":1,"__proto__":2}}', ['repeated_member metadata.__proto__']],
    ['{"metadata":{"a":1},"metadata":{"b":1}}', ['repeated_member metadata']],
    ['{"m\\u0065tadata" : { "a" : 1e999 } }', ['number metadata.a']],
    ['{"other":1e999,"list":[1e999],"x":{"metadata":1e999}}', []],
    ['{"metadata":{"1e999":"9007199254740993, \\"a\\":1e999","\\\\":[true,false,null]},"other":1e999}', []],
    ['{"metadata":{"2":1,"1":2,"":{"":[{},[]]}}}', []],
    ['{}', []],
  ])('are found in %s: %j', (json, losses) => {
    JSON.parse(json);
    expect(listLosses(json)).toEqual(losses);
  });

  test('are found below thirty thousand levels', () => {
    const deep = `{"metadata":${'[['.repeat(15_000)}1e999${']]'.repeat(15_000)}}`;
    expect(lossesIn(deep, 'metadata').map(({ kind }) => kind)).toEqual(['number']);
  });

  test('are ten at most, and are found in bounded time in the worst text', () => {
    const begin = performance.now();
    const deep = `${'['.repeat(15_000)}${Array(15_000).fill('1e9').join(',')}${']'.repeat(15_000)}`;
    expect(lossesIn(`{"metadata":${deep}}`, 'metadata')).toEqual([]);
    expect(lossesIn(`{"metadata":${deep.replaceAll('e9', '0e999')}}`, 'metadata')).toHaveLength(10);
    expect(isHeldExactly(`1${'0'.repeat(60_000)}1`)).toBe(false);
    expect(isHeldExactly(`0.${'0'.repeat(60_000)}1`)).toBe(false);
    expect(isHeldExactly(`1.${'0'.repeat(60_000)}`)).toBe(true);
    expect(lossesIn(`{"metadata":"${'\\\\'.repeat(30_000)}"}`, 'metadata')).toEqual([]);
    // A slow machine takes a second. Work that grows with the square of a text would take minutes.
    expect(performance.now() - begin).toBeLessThan(30_000);
  });

  test('are not found in a text that a program wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (metadata) => {
        expect(listLosses(JSON.stringify({ amount: 1, metadata }))).toEqual([]);
      }),
    );
  });
});
