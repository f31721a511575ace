import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { CannotStart } from '#infra/local/errors.ts';
import { fileIn, readIfThere, writePrivately } from './data-dir.ts';

const identity = z.object({
  /** Also the queue's name. Its own for each data directory, so that several can share an engine. */
  tableName: z.string().min(3),
  hashKey: z.string().min(32),
  /**
   * Partitions of the due-work index. A laptop needs one, and asks each of them every second. Data of before this was stored here has
   * four, and its work is found in these alone.
   */
  dueShards: z.number().int().positive().default(4),
});
/** The identity of a data directory. */
export type Identity = z.infer<typeof identity>;

const parse = (text: string, path: string): Identity => {
  try {
    return identity.parse(JSON.parse(text));
  } catch {
    throw new CannotStart(`${path} is damaged. Delete the local data and begin again with: npm start -- --reset`);
  }
};

/** Reads the identity of a data directory, and makes it at the first start: a secret that keys its hashes, and the name of its table. */
export const openIdentity = (dataDir: string): Identity => {
  const path = fileIn(dataDir, 'identity');
  const stored = readIfThere(path);
  if (stored !== undefined) return parse(stored, path);
  const made = {
    tableName: `payments-local-${randomBytes(4).toString('hex')}`,
    hashKey: randomBytes(32).toString('base64url'),
    dueShards: 1,
  };
  writePrivately(path, JSON.stringify(made, null, 2));
  return made;
};
