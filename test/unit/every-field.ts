import type * as z from 'zod/mini';

/** Checks that a schema reads a stored item back unchanged, and refuses the item if any one field is missing. */
export const expectEveryFieldRequired = (schema: z.ZodMiniType, item: object): void => {
  expect(schema.safeParse(JSON.parse(JSON.stringify(item)))).toEqual({ success: true, data: item });
  for (const field of Object.keys(item)) {
    const { [field]: _, ...rest } = item as Record<string, unknown>;
    expect({ without: field, success: schema.safeParse(rest).success }).toEqual({ without: field, success: false });
  }
};
