import * as z from 'zod/mini';

/** The start of a period: ISO 8601 with its zone. Parsed to milliseconds since the epoch. */
export const since = z.pipe(
  z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.' }),
  z.transform((value) => Date.parse(value)),
);
