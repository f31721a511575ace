import * as z from 'zod/mini';

/** A schema within another, with the name of its field if it is one of an object's. */
export type Part = readonly [field: string | undefined, schema: z.ZodMiniType];

/** The schemas of which a schema is made: fields of an object, options of a union, what a list or a wrapper holds. */
export const listParts = (schema: z.ZodMiniType): readonly Part[] => {
  if (schema instanceof z.ZodMiniObject) return Object.entries(schema.shape as Record<string, z.ZodMiniType>);
  if (schema instanceof z.ZodMiniUnion || schema instanceof z.ZodMiniDiscriminatedUnion) {
    return schema.def.options.map((option) => [undefined, option as z.ZodMiniType]);
  }
  if (schema instanceof z.ZodMiniArray) return [[undefined, schema.def.element as z.ZodMiniType]];
  if (schema instanceof z.ZodMiniRecord) return [[undefined, schema.def.valueType as z.ZodMiniType]];
  if (schema instanceof z.ZodMiniPipe) return [[undefined, schema.def.in as z.ZodMiniType]];
  if (
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniDefault
  ) {
    return [[undefined, schema.def.innerType as z.ZodMiniType]];
  }
  return [];
};
