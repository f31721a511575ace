/* Writes times in Lagos, and reads the times in ids and cursors. */

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Africa/Lagos' });

/** Writes an ISO 8601 moment in Lagos time. */
export const lagosTime = (at: string): string => TIME.format(new Date(at));

const ULID_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_TIME_LENGTH = 10;

/** Reads the time, in milliseconds, at which an id was made. After its prefix, an id is a ULID, which begins with its time. */
export const timeOfId = (id: string): number => {
  const start = id.indexOf('_') + 1;
  return [...id.slice(start, start + ULID_TIME_LENGTH)].reduce(
    (time, letter) => time * 32 + ULID_LETTERS.indexOf(letter),
    0,
  );
};

const HOUR_MS = 3_600_000;
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Africa/Lagos' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Africa/Lagos' });

/** Writes the hour in Lagos that begins at a moment, for a sentence with “between”: `00:00 and 01:00 on 28 Nov 2026`. */
export const lagosHour = (at: string): string => {
  const start = Date.parse(at);
  return `${CLOCK.format(start)} and ${CLOCK.format(start + HOUR_MS)} on ${DATE.format(start)}`;
};

/** A cursor has a signature of this length, then the position of the last entry that was searched (shared/api/list-cursor.ts). */
const SIGNATURE_BYTES = 16;
const POSITION_OF_TIME = /^\d{13,}(?=#|$)/;
const POSITION_OF_ID = /^(?:LOG#log|evt)_[0-9A-Z]{26}$/;

/** Reads from a cursor how far back a list was searched, in ISO 8601; undefined if the list is not in the order of time. */
export const readCursorTime = (cursor: string): string | undefined => {
  const position = atob(cursor.replaceAll('-', '+').replaceAll('_', '/')).slice(SIGNATURE_BYTES);
  const [time] = POSITION_OF_TIME.exec(position) ?? [];
  if (time !== undefined) return new Date(Number(time)).toISOString();
  return POSITION_OF_ID.test(position) ? new Date(timeOfId(position)).toISOString() : undefined;
};
