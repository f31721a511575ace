import * as z from 'zod/mini';

const RULE = 'must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.';
/** The + of a zone that was not escaped in a query, where it stands for a blank. */
const LOST_PLUS = /T[\d:.]+ \d\d:\d\d$/;

/** The start of a period: ISO 8601 with its zone. Parsed to milliseconds since the epoch. */
export const since = z.pipe(
  z.iso.datetime({
    offset: true,
    error: ({ input }) => (LOST_PLUS.test(String(input)) ? `${RULE} In a URL, write + as %2B.` : RULE),
  }),
  z.transform((value) => Date.parse(value)),
);
