import type { Millis } from '#shared/platform/kernel/time.ts';

/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The key of an item that is alone in its partition: its sort key is its kind. */
export const single = (kind: string, ...parts: string[]): Key => ({ pk: [kind, ...parts].join('#'), sk: kind });
export const answerKey = (scope: string): Key => single('IDEM', scope);
/** How many requests a key or an address made in a window. */
export const rateKey = (bucket: string, window: number): Key => ({ pk: `RATE#${bucket}`, sk: `RATE#${window}` });
/** The lease of an endpoint's recovery, or of a checkout's requery. */
export const leaseKey = (work: 'recovery' | 'requery', id: string): Key => single('LEASE', work, id);
/** How many digits a time or an amount has in a sort key, so that text sorts as numbers do. */
export const POSITION_DIGITS = 15;
/** A time, or an amount in kobo, as sort keys have it. */
export const sortable = (at: Millis): string => String(at).padStart(POSITION_DIGITS, '0');
/** A place in a list on gsi1, newest last as DynamoDB sorts. */
export const listed = (gsi1pk: string, at: Millis, id: string) => ({ gsi1pk, gsi1sk: `${sortable(at)}#${id}` });
/** Where the part of a list begins that is no older than a moment. */
export const listedFrom = (at: Millis): string => sortable(Math.max(0, at));
/** Behind every sort key that begins with a time. */
export const AFTER_ALL_TIMES = '~';
