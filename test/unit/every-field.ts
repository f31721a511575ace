import type * as z from 'zod/mini';

/**
 * Fails unless the schema reads the stored item back as it is, and refuses it without any one of its fields. Without a field that was
 * `added` later it is read as one with null there.
 */
export const expectEveryFieldRequired = (
  schema: z.ZodMiniType,
  item: object,
  { added = [] }: { readonly added?: readonly string[] } = {},
): void => {
  expect(schema.safeParse(JSON.parse(JSON.stringify(item)))).toEqual({ success: true, data: item });
  for (const field of Object.keys(item)) {
    const { [field]: _, ...rest } = item as Record<string, unknown>;
    if (added.includes(field)) {
      expect({ without: field, ...schema.safeParse(rest) }).toEqual({
        without: field,
        success: true,
        data: { ...rest, [field]: null },
      });
      continue;
    }
    expect({ without: field, success: schema.safeParse(rest).success }).toEqual({ without: field, success: false });
  }
};
