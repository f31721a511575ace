import type * as z from 'zod/mini';

/** Fails unless the schema reads the stored item back as it is, and refuses it without any one of its fields. */
export const expectEveryFieldRequired = (schema: z.ZodMiniType, item: object): void => {
  expect(schema.safeParse(JSON.parse(JSON.stringify(item)))).toEqual({ success: true, data: item });
  for (const field of Object.keys(item)) {
    const { [field]: _, ...rest } = item as Record<string, unknown>;
    expect({ without: field, success: schema.safeParse(rest).success }).toEqual({ without: field, success: false });
  }
};
