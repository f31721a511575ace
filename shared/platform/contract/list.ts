import * as z from 'zod/mini';
import { boolean, textOrNull } from '#shared/platform/kernel/schemas.ts';

/** The query parameters of lists. The cursor is opaque; readPageRequest checks that it belongs to the tenant. */
export const pageQuery = z.object({
  limit: z._default(
    z.optional(
      z.pipe(
        z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100.')),
        z.transform(Number),
      ),
    ),
    25,
  ),
  cursor: z.optional(z.string().check(z.maxLength(512, 'must be a cursor that this list gave you.'))),
});

/** The metadata of a list page: whether there is a next page, and its cursor. */
export const listMeta = z.object({ has_more: boolean, next_cursor: textOrNull });

/** Makes the schema of a list's answer: an envelope with the items of one list page. */
export const successList = <S extends z.ZodMiniType>(item: S) =>
  z.object({ status: z.literal(true), data: z.array(item), meta: listMeta });
