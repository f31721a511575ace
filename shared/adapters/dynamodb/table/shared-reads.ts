import type { Key } from './keys.ts';
import { getItems, type Item, KeysLeftUnread, type Table } from './table.ts';

/** Reads items consistently, in the order asked for; a missing one is undefined. */
export type ReadItems = (keys: readonly Key[]) => Promise<(Item | undefined)[]>;

/**
 * Reads that are asked for in one moment, such as those of a batch of messages, as one call: an item that several of them
 * want is read once. Each of them fails when that call does; where DynamoDB only left keys unread, each asks once more for its
 * own, so that one merchant's overloaded items hold up nobody else.
 */
export const sharedReads = (table: Table): ReadItems => {
  let gathering: { readonly wanted: Key[]; readonly found: Promise<(Item | undefined)[]> } | undefined;

  const gather = () => {
    const wanted: Key[] = [];
    const readAll = (): Promise<(Item | undefined)[]> => {
      gathering = undefined;
      return getItems(table, wanted);
    };
    // Whoever asks before the present step of the program is over is still taken along.
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
      if (error instanceof KeysLeftUnread && wanted.length > keys.length) return getItems(table, keys);
      throw error;
    }
  };
};
