import type { Key } from './keys.ts';
import { getItems, type Item, type Table } from './table.ts';

/** Reads items consistently, in the order asked for; a missing one is undefined. */
export type ReadItems = (keys: readonly Key[]) => Promise<(Item | undefined)[]>;

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/**
 * Reads that are asked for in one moment, such as those of a batch of messages, as one call: an item that several of them
 * want is read once. Each of them fails when that call does.
 */
export const sharedReads = (table: Table): ReadItems => {
  let gathering:
    | { readonly wanted: Map<string, Key>; readonly found: Promise<Map<string, Item | undefined>> }
    | undefined;

  const gather = () => {
    const wanted = new Map<string, Key>();
    const readAll = async (): Promise<Map<string, Item | undefined>> => {
      gathering = undefined;
      const items = await getItems(table, [...wanted.values()]);
      return new Map([...wanted.keys()].map((name, i) => [name, items[i]]));
    };
    // Whoever asks before the present step of the program is over is still taken along.
    return { wanted, found: Promise.resolve().then(readAll) };
  };

  return async (keys) => {
    gathering ??= gather();
    const { wanted, found } = gathering;
    for (const key of keys) wanted.set(nameOf(key), key);
    const items = await found;
    return keys.map((key) => items.get(nameOf(key)));
  };
};
