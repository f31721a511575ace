import * as z from 'zod/mini';

/** Without names: those that the API document gives to schemas would put a reference in their place. */
const NO_NAMES = z.registry<Record<string, unknown>>();

/** The JSON Schema of what a request may have, written out whole, whether or not the API document was made before. */
export const schemaOf = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: NO_NAMES });
