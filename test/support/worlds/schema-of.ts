import * as z from 'zod/mini';

/** Schemas without names: the API document's names would put references in their place. */
const NO_NAMES = z.registry<Record<string, unknown>>();

/** Makes the complete JSON Schema of a request, whether or not the API document was made before. */
export const toJsonSchema = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: NO_NAMES });
