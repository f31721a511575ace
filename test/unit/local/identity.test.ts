import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIdentity } from '#infra/local/data/identity.ts';

describe('the identity of a data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'identity-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('is the same at every start', () => {
    const made = openIdentity(directory);
    expect(made.dueShards).toBe(1);
    expect(openIdentity(directory)).toEqual(made);
  });

  test('of an earlier version keeps its four partitions of due work, in which its work is found', () => {
    const earlier = { tableName: 'payments-local-7916ab6d', hashKey: 'a-hash-key-of-thirty-two-letters!' };
    writeFileSync(join(directory, 'identity.json'), JSON.stringify(earlier));
    expect(openIdentity(directory)).toEqual({ ...earlier, dueShards: 4 });
  });
});
