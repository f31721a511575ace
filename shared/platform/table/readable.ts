import type * as z from 'zod/mini';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';

/*
 * Items that this release cannot read: written by a newer one before a roll-back, or of a provider that it does not know. Lists, sweeps and
 * screens leave them out; a read that decides where money goes throws. Each is counted here and nowhere else, by its family alone.
 */

type Item = Readonly<Record<string, unknown>>;

/** Counts items of a family that could not be read. */
export type CountUnreadable = (family: string, items: number) => void;

/** A table, as far as it counts what cannot be read. */
interface Counting {
  readonly unreadable: CountUnreadable;
}

/** Counts them in the log and in a metric, which an alarm watches. */
export const countUnreadable =
  ({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }): CountUnreadable =>
  (family, count) => {
    log('item_unreadable', { family, count });
    metrics('items_unreadable', count);
  };

/** How a key begins: its capital letters. The rest of it may name somebody. */
const readKind = (key: unknown): string => /^[A-Z]+/.exec(String(key))?.[0] ?? '';

/** The family of an item, such as `PAY`, or `EVT DLV` for the deliveries of an event. */
const readFamily = ({ pk, sk }: Item): string => [...new Set([readKind(pk), readKind(sk)])].filter(Boolean).join(' ');

/**
 * The item as a value; undefined where there is none.
 * @throws UnreadableItem, once it is counted, for an item that is there and cannot be read.
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

/** Items as values, each in its place, with undefined for one that is absent and for one that cannot be read, which is counted. */
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

/** The same without gaps: what a list shows. */
export const readableItems = <S extends z.ZodMiniType>(
  table: Counting,
  schema: S,
  items: readonly (Item | undefined)[],
): z.infer<S>[] => readEach(table, schema, items).filter((value) => value !== undefined);
