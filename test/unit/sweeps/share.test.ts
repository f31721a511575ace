import { listShards, parseShare, WHOLE } from '#shared/sweeps/domain/share.ts';

test.each([1, 2, 3, 16, 20])('the shares of %i runs together contain every shard once', (parts) => {
  const shares = Array.from({ length: parts }, (_, part) => listShards({ part, parts }, 16));
  expect(shares.flat().sort((a, b) => a - b)).toEqual([...Array(16).keys()]);
});

test('a run sweeps all shards if its schedule names no share', () => {
  for (const event of [{}, undefined, { part: 0 }, { part: -1, parts: 2 }, { part: 0, parts: 0 }])
    expect(parseShare(event)).toEqual(WHOLE);
  expect(parseShare({ part: 1, parts: 3 })).toEqual({ part: 1, parts: 3 });
  expect(listShards(WHOLE, 4)).toEqual([0, 1, 2, 3]);
});
