import * as z from 'zod/mini';

/** Live moves money; test moves none and calls no provider. The API key decides (api-decisions.md section 2). */
export const mode = z.enum(['live', 'test']);
export type Mode = z.infer<typeof mode>;
