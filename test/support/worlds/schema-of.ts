import * as z from 'zod/mini';

/** A registry without names. With the names of the API document, the JSON Schema would have references in place of named schemas. */
const NO_NAMES = z.registry<Record<string, unknown>>();

/** Makes the complete JSON Schema of a request, whether or not the API document was made before. */
export const toJsonSchema = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: NO_NAMES });
