import type { Key } from './keys.ts';
import { getItems, type Item, type Table } from './table.ts';

/** Reads items consistently, in the order asked for; a missing one is undefined. */
export type ReadItems = (keys: readonly Key[]) => Promise<(Item | undefined)[]>;

/**
 * Reads that are asked for in one moment, such as those of a batch of messages, as one call: an item that several of them
 * want is read once. Each of them fails when that call does.
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
    return (await found).slice(first, first + keys.length);
  };
};
