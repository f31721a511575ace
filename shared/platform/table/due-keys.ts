import type { DueFamily, HighPriorityFamily } from '#shared/platform/due-family.ts';
import type { DueTicket } from '#shared/platform/due-ticket.ts';
import { crc32 } from '#shared/platform/kernel/crc32.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Key, POSITION_DIGITS, sortable } from './keys.ts';

/** Returns the partition of one shard of a family in the due-work index. */
export const duePartition = (family: DueFamily, shard: number): string => `DUE#${family}#${shard}`;
/** Returns the family of due work in a mode. */
export const dueFamily = (work: HighPriorityFamily, mode: Mode): DueFamily => (mode === 'live' ? work : `test_${work}`);
/** Returns the highest sort key of entries that are due at a time. */
export const dueUntil = (now: Millis): string => `${sortable(now)}~`;
/** Returns the sort key of an item's entry in the due-work index. */
export const formatDueEntry = ({ pk, sk }: Key, dueAt: Millis): string => `${sortable(dueAt)}#${pk}#${sk}`;
/** Returns an item's keys in the due-work index; none if nothing is due. */
export const inDueWork = ({ pk, sk }: Key, family: DueFamily, dueAt: Millis | null, shards: number) =>
  dueAt === null ? {} : { gsi2pk: duePartition(family, crc32(pk) % shards), gsi2sk: formatDueEntry({ pk, sk }, dueAt) };
/** Makes a ticket for work that becomes due at `dueAt`. The ticket is sent now, before that time. */
export const makeTicket = ({ pk, sk }: Key, family: DueTicket['family'], dueAt: Millis): DueTicket => ({
  family,
  pk,
  sk,
  entry: formatDueEntry({ pk, sk }, dueAt),
});
/** Reads the time at which an entry of the due-work index is due. */
export const parseDueAt = (gsi2sk: string): Millis => Number(gsi2sk.slice(0, POSITION_DIGITS));
