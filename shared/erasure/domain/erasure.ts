import { scryptSync } from 'node:crypto';
import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { count, millis, ordinal, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY } from '#shared/platform/kernel/time.ts';

/** The number of objects that an erasure has changed, by kind. */
export const erased = z.object({
  checkouts: count,
  virtualAccounts: count,
  payments: count,
  events: count,
  answers: count,
  notifications: count,
});
export type ErasedCounts = z.infer<typeof erased>;

/** The number of objects that an erasure could not change yet: unfinished openings, unsettled notifications, items that this release cannot read. */
export const notYetErased = z.object({
  opening: count,
  unsettledNotifications: count,
  unreadable: count,
});

/** The progress of a payer's erasure, so that another call can continue an interrupted one. It exists only until the erasure is finished. */
export const erasure = z.object({
  businessId: idSchema('biz'),
  /**
   * A slow hash of the payer's address and other texts (erasureDigest). A call that gives the same texts finds the erasure by it. The hash
   * is slow, so that nobody can guess the address from it.
   */
  digest: text,
  replacement: text,
  /** The position in the table up to which everything was read; null at the beginning. */
  after: textOrNull,
  /** Items that were read. */
  read: count,
  erased,
  left: notYetErased,
  /** The payer's virtual accounts that still take money, at most `MAX_OPEN_ACCOUNTS`. */
  openAccounts: z.array(idSchema('va')),
  startedAt: millis,
  version: ordinal,
});
export type Erasure = z.infer<typeof erasure>;

/** Milliseconds after which an unfinished erasure is forgotten. */
export const ERASURE_RETENTION = 30 * DAY;
/** Maximum number of accounts that are listed as still taking money. */
export const MAX_OPEN_ACCOUNTS = 20;

const DIGEST_BYTES = 32;

/** Computes a slow hash of an erasure's input, so that nobody finds the address by guessing while the erasure is unfinished. */
export const erasureDigest = (businessId: string, address: string, also: readonly string[]): string =>
  scryptSync(JSON.stringify([address, ...also.toSorted()]), `erasure\n${businessId}`, DIGEST_BYTES).toString('hex');

/** Makes an erasure that has read nothing. */
export const newErasure = (about: Pick<Erasure, 'businessId' | 'digest' | 'replacement' | 'startedAt'>): Erasure => ({
  ...about,
  after: null,
  read: 0,
  erased: { checkouts: 0, virtualAccounts: 0, payments: 0, events: 0, answers: 0, notifications: 0 },
  left: { opening: 0, unsettledNotifications: 0, unreadable: 0 },
  openAccounts: [],
  version: 1,
});

/** The outcome of one page of the table. */
export interface ErasedPage extends Pick<Erasure, 'read' | 'erased' | 'left' | 'openAccounts'> {
  /** The position of the next page; null at the end of the table. */
  readonly next: string | null;
}

const addCounts = <Counts extends Readonly<Record<string, number>>>(counts: Counts, more: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, n + (more[name] ?? 0)])) as Counts;

/** Adds the outcome of a page to an erasure. */
export const withPage = (before: Erasure, page: ErasedPage): Erasure => ({
  ...before,
  after: page.next,
  read: before.read + page.read,
  erased: addCounts(before.erased, page.erased),
  left: addCounts(before.left, page.left),
  openAccounts: [...before.openAccounts, ...page.openAccounts].slice(0, MAX_OPEN_ACCOUNTS),
  version: before.version + 1,
});
