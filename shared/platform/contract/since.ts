import * as z from 'zod/mini';
import { isPlainObject } from './answer-fields.ts';

const RULE = 'must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.';
/** The + of a zone that was not escaped in a query, where it stands for a blank. */
const LOST_PLUS = /T[\d:.]+ \d\d:\d\d$/;

/** The start of a period: ISO 8601 with its zone. Parsed to milliseconds since the epoch. */
export const since = z.pipe(
  z.iso.datetime({
    offset: true,
    error: ({ input }) =>
      typeof input === 'string' && LOST_PLUS.test(input) ? `${RULE} In a URL, write + as %2B.` : RULE,
  }),
  z.transform((value) => Date.parse(value)),
);

/** A range the wrong way round would find nothing, and look as if there were nothing: `last` must not be below `first`. */
export const inOrder = (first: string, last: string) =>
  z.refine<object>(
    (query) => {
      const { [first]: low, [last]: high } = query as Readonly<Record<string, unknown>>;
      return typeof low !== 'number' || typeof high !== 'number' || low <= high;
    },
    // Told together with what is wrong with other parameters.
    { path: [last], error: `must not be below ${first}.`, when: ({ value }) => isPlainObject(value) },
  );
