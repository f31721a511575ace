import type * as z from 'zod/mini';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';

/*
 * Reads items, and counts those that this release cannot read: a newer release wrote them before a roll-back, or they are of an unknown provider.
 * Lists, sweeps and screens leave them out. A read that decides where money goes throws. Only the family of an item is counted.
 */

type Item = Readonly<Record<string, unknown>>;

/** Counts items of a family that could not be read. */
export type CountUnreadable = (family: string, items: number) => void;

/** The part of a table that counts unreadable items. */
interface Counting {
  readonly unreadable: CountUnreadable;
}

/** Makes a counter that writes unreadable items to the log, and to a metric that an alarm watches. */
export const countUnreadable =
  ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): CountUnreadable =>
  (family, count) => {
    log('item_unreadable', { family, count });
    metrics('items_unreadable', count);
  };

/** Returns the capital letters at the beginning of a key. The rest of it may identify somebody. */
const readKind = (key: unknown): string => /^[A-Z]+/.exec(String(key))?.[0] ?? '';

/** Returns the family of an item, such as `PAY`, or `EVT DLV` for the deliveries of an event. */
const readFamily = ({ pk, sk }: Item): string => [...new Set([readKind(pk), readKind(sk)])].filter(Boolean).join(' ');

/**
 * Parses an item; undefined if there is none.
 * @throws UnreadableItem for an item that exists and cannot be read. The item is counted first.
 */
export const readItem = <S extends z.ZodMiniType>(
  table: Counting,
  schema: S,
  item: Item | undefined,
): z.infer<S> | undefined => {
  if (item === undefined) return undefined;
  const { success, data } = schema.safeParse(item);
  if (success) return data;
  const family = readFamily(item);
  table.unreadable(family, 1);
  throw new UnreadableItem(family);
};

/** Parses items, each in its place. An absent or unreadable item gives undefined; unreadable items are counted. */
export const readEach = <S extends z.ZodMiniType>(
  table: Counting,
  schema: S,
  items: readonly (Item | undefined)[],
): (z.infer<S> | undefined)[] => {
  const unreadable = new Map<string, number>();
  const values = items.map((item) => {
    if (item === undefined) return undefined;
    const { success, data } = schema.safeParse(item);
    if (success) return data;
    unreadable.set(readFamily(item), (unreadable.get(readFamily(item)) ?? 0) + 1);
    return undefined;
  });
  for (const [family, count] of unreadable) table.unreadable(family, count);
  return values;
};

/** Parses the items of a list, and leaves out absent and unreadable ones. */
export const readableItems = <S extends z.ZodMiniType>(
  table: Counting,
  schema: S,
  items: readonly (Item | undefined)[],
): z.infer<S>[] => readEach(table, schema, items).filter((value) => value !== undefined);
