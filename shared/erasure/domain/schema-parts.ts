import * as z from 'zod/mini';

/** A schema within another. `field`: its name, if it is a field of an object. */
export type SchemaPart = readonly [field: string | undefined, schema: z.ZodMiniType];

/** Lists the schemas that a schema consists of: fields of an object, options of a union, the content of a list or a wrapper. */
export const listParts = (schema: z.ZodMiniType): readonly SchemaPart[] => {
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
