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

  test('stays the same at every start', () => {
    const created = openIdentity(directory);
    expect(created.dueShards).toBe(1);
    expect(openIdentity(directory)).toEqual(created);
  });

  test.each([
    ['without a version', {}],
    ['of an older version', { version: 0 }],
    ['of a newer version', { version: 1_000 }],
  ])('makes the stack refuse data %s, with the command to start again', (_, version) => {
    const other = { ...openIdentity(directory), version: undefined, ...version };
    writeFileSync(join(directory, 'identity.json'), JSON.stringify(other));
    expect(() => openIdentity(directory)).toThrow(
      `The data in ${directory} is of another version of the local stack. Delete it and start again with: npm start -- --reset`,
    );
  });
});
