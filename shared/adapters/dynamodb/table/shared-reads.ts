import type { Key } from './keys.ts';
import { getItem, getItems, type Item, KeysLeftUnread, type Table } from './table.ts';

/** Reads items consistently, in the order asked for; a missing one is undefined. */
export type ReadItems = (keys: readonly Key[]) => Promise<(Item | undefined)[]>;

/** Reads in a call of their own. */
export const separateReads =
  (table: Table): ReadItems =>
  async (keys) => {
    const [only] = keys;
    return only && keys.length === 1 ? [await getItem(table, only)] : getItems(table, keys);
  };

/**
 * Joins reads that are requested in the same turn of the event loop, such as those of a batch of messages, into one call. An item
 * that several of them want is read once. When the call fails, all of them fail. When DynamoDB only left keys unread, each repeats
 * its own keys once, so that one merchant's overloaded items do not block the others.
 */
export const sharedReads = (table: Table): ReadItems => {
  const read = separateReads(table);
  let gathering: { readonly wanted: Key[]; readonly found: Promise<(Item | undefined)[]> } | undefined;

  const gather = () => {
    const wanted: Key[] = [];
    const readAll = (): Promise<(Item | undefined)[]> => {
      gathering = undefined;
      return read(wanted);
    };
    // Reads that are requested in the same turn still join.
    return { wanted, found: Promise.resolve().then(readAll) };
  };

  return async (keys) => {
    gathering ??= gather();
    const { wanted, found } = gathering;
    const first = wanted.length;
    wanted.push(...keys);
    try {
      return (await found).slice(first, first + keys.length);
    } catch (error) {
      if (error instanceof KeysLeftUnread && wanted.length > keys.length) return read(keys);
      throw error;
    }
  };
};
