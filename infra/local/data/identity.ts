import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { CannotStart } from '#infra/local/errors.ts';
import { fileIn, readIfThere, writePrivately } from './data-dir.ts';

/** The version of stored items and messages. Raise it if the code can no longer read the items and messages of the version before. */
const DATA_VERSION = 4;

const identity = z.object({
  version: z.literal(DATA_VERSION),
  /** The name of the table, and the prefix of the queues' names. Each data directory has another one, so several can share an emulator. */
  tableName: z.string().min(3),
  hashKey: z.string().min(32),
  /** Partitions of the due-work index. One is enough for the load of one machine. */
  dueShards: z.number().int().positive(),
});
/** The identity of a data directory. */
export type Identity = z.infer<typeof identity>;

const parse = (text: string, dataDir: string, path: string): Identity => {
  try {
    const stored = z.looseObject({}).parse(JSON.parse(text));
    if (stored.version !== DATA_VERSION) {
      throw new CannotStart(
        `The data in ${dataDir} is of another version of the local stack. Delete it and start again with: npm start -- --reset`,
      );
    }
    return identity.parse(stored);
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw new CannotStart(`${path} is damaged. Delete the local data and start again with: npm start -- --reset`);
  }
};

/**
 * Reads the identity of a data directory, such as the name of its table and the key of its hashes. Creates the identity at the first start.
 * @throws CannotStart if the identity is damaged, or if the data is of another version.
 */
export const openIdentity = (dataDir: string): Identity => {
  const path = fileIn(dataDir, 'identity');
  const stored = readIfThere(path);
  if (stored !== undefined) return parse(stored, dataDir, path);
  const created: Identity = {
    version: DATA_VERSION,
    tableName: `payments-local-${randomBytes(4).toString('hex')}`,
    hashKey: randomBytes(32).toString('base64url'),
    dueShards: 1,
  };
  writePrivately(path, JSON.stringify(created, null, 2));
  return created;
};
