import type { Millis } from '#shared/platform/kernel/time.ts';

/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Makes the key of an item that is alone in its partition: its sort key is its kind. */
export const makeKey = (kind: string, ...parts: string[]): Key => ({ pk: [kind, ...parts].join('#'), sk: kind });
export const answerKey = (scope: string): Key => makeKey('IDEM', scope);
/** Makes the key of the count of requests under one rate limit in a window. */
export const rateKey = (bucket: string, window: number): Key => ({ pk: `RATE#${bucket}`, sk: `RATE#${window}` });
/** Makes the key of the lease of an endpoint's recovery, or of a checkout's requery. */
export const leaseKey = (work: 'recovery' | 'requery', id: string): Key => makeKey('LEASE', work, id);
/** The digits of a time or an amount in a sort key, so that texts sort as numbers do. */
export const POSITION_DIGITS = 15;
/** Writes a time, or an amount in kobo, for a sort key. */
export const sortable = (at: Millis): string => String(at).padStart(POSITION_DIGITS, '0');
/** Makes the keys of an item in a list on gsi1. DynamoDB sorts the newest last. */
export const inList = (gsi1pk: string, at: Millis, id: string) => ({ gsi1pk, gsi1sk: `${sortable(at)}#${id}` });
/** Returns the smallest sort key of a list's items that are not older than a time. */
export const listStart = (at: Millis): string => sortable(Math.max(0, at));
/** Sorts after every sort key that begins with a time. */
export const AFTER_ALL_TIMES = '~';
