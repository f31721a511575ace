import { readFileSync } from 'node:fs';
import type { Fixture } from '#shared/providers/common/simulator/fixture.ts';
import { KORAPAY_FIXTURES } from '#shared/providers/korapay/simulator/fixtures.ts';
import { MONNIFY_FIXTURES } from '#shared/providers/monnify/simulator/fixtures.ts';
import { PAYSTACK_FIXTURES } from '#shared/providers/paystack/simulator/fixtures.ts';

const SOURCES = readFileSync('docs/internals/providers.md', 'utf8').split('## 6. Sources')[1] ?? '';

test.each([
  ['paystack', PAYSTACK_FIXTURES],
  ['monnify', MONNIFY_FIXTURES],
  ['korapay', KORAPAY_FIXTURES],
] as const)('each fixture of %s has a mark, and a source that is listed in providers.md', (_, kinds) => {
  const fixtures = Object.values(kinds).flatMap((kind) => Object.entries<Fixture>(kind));
  expect(fixtures.length).toBeGreaterThan(0);
  const unsourced = fixtures.filter(
    ([, { source, mark }]) => !new RegExp(`\\b${source}\\b`).test(SOURCES) || !['A', 'B', 'C', 'NC'].includes(mark),
  );
  expect(unsourced.map(([name, { source }]) => `${name}: ${source}`)).toEqual([]);
});
