import { scryptSync } from 'node:crypto';
import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { count, millis, ordinal, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY } from '#shared/platform/kernel/time.ts';

/** What an erasure has reached of the payer, by kind. */
export const erased = z.object({
  checkouts: count,
  virtualAccounts: count,
  payments: count,
  events: count,
  answers: count,
  notifications: count,
});
export type Erased = z.infer<typeof erased>;

/** What it could not change yet: checkouts and accounts that are still being opened, notifications that are to be looked up, and what this release cannot read. */
export const notYetErased = z.object({
  opening: count,
  unsettledNotifications: count,
  unreadable: count,
});

/** How far the erasure of a payer has come, so that another call goes on where one ended. It exists only until it is finished. */
export const erasure = z.object({
  businessId: idSchema('biz'),
  /** Tells whose it is to somebody who gives the address, and hardly to anybody else. */
  digest: text,
  replacement: text,
  /** The position in the table up to which everything was read; null at the beginning. */
  after: textOrNull,
  /** Items that were read. */
  read: count,
  erased,
  left: notYetErased,
  /** Virtual accounts of the payer that still take money, as many as are shown. */
  openAccounts: z.array(idSchema('va')),
  startedAt: millis,
  version: ordinal,
});
export type Erasure = z.infer<typeof erasure>;

/** How long an erasure that nobody goes on with is remembered. Milliseconds. */
export const ERASURE_RETENTION = 30 * DAY;
/** At most this many accounts that still take money are named. */
export const MAX_OPEN_ACCOUNTS = 20;

const DIGEST_BYTES = 32;

/** A slow hash of what was asked for, so that the address is not found by guessing while an erasure is unfinished. */
export const erasureDigest = (businessId: string, address: string, also: readonly string[]): string =>
  scryptSync(JSON.stringify([address, ...also.toSorted()]), `erasure\n${businessId}`, DIGEST_BYTES).toString('hex');

/** An erasure that has read nothing. */
export const newErasure = (about: Pick<Erasure, 'businessId' | 'digest' | 'replacement' | 'startedAt'>): Erasure => ({
  ...about,
  after: null,
  read: 0,
  erased: { checkouts: 0, virtualAccounts: 0, payments: 0, events: 0, answers: 0, notifications: 0 },
  left: { opening: 0, unsettledNotifications: 0, unreadable: 0 },
  openAccounts: [],
  version: 1,
});

/** What was done with one page of the table. */
export interface ErasedPage extends Pick<Erasure, 'read' | 'erased' | 'left' | 'openAccounts'> {
  /** Where the next page begins; null at the end of the table. */
  readonly next: string | null;
}

const addCounts = <Counts extends Readonly<Record<string, number>>>(counts: Counts, more: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, n + (more[name] ?? 0)])) as Counts;

/** The erasure after another page. */
export const withPage = (before: Erasure, page: ErasedPage): Erasure => ({
  ...before,
  after: page.next,
  read: before.read + page.read,
  erased: addCounts(before.erased, page.erased),
  left: addCounts(before.left, page.left),
  openAccounts: [...before.openAccounts, ...page.openAccounts].slice(0, MAX_OPEN_ACCOUNTS),
  version: before.version + 1,
});
