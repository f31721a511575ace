import * as z from 'zod/mini';
import { isPlainObject } from './answer-fields.ts';

const RULE = 'must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.';
/** A time whose `+` was not escaped in a query, where it means a blank. */
const LOST_PLUS = /T[\d:.]+ \d\d:\d\d$/;

/** The start or end of a period: ISO 8601 with a zone, parsed to milliseconds since the epoch. */
export const since = z.pipe(
  z.iso.datetime({
    offset: true,
    error: ({ input }) =>
      typeof input === 'string' && LOST_PLUS.test(input) ? `${RULE} In a URL, write + as %2B.` : RULE,
  }),
  z.transform((value) => Date.parse(value)),
);

/** Checks that the parameter `last` is not below `first`. A reversed range would find nothing, and look as if nothing existed. */
export const inOrder = (first: string, last: string) =>
  z.refine<object>(
    (query) => {
      const { [first]: low, [last]: high } = query as Readonly<Record<string, unknown>>;
      return typeof low !== 'number' || typeof high !== 'number' || low <= high;
    },
    // `when` lets this check run although other parameters have errors, so that the answer lists all errors.
    { path: [last], error: `must not be below ${first}.`, when: ({ value }) => isPlainObject(value) },
  );
