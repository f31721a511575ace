import * as z from 'zod/mini';

/** Live moves money; test moves none and calls no provider. The API key decides. */
export const mode = z.enum(['live', 'test']);
export type Mode = z.infer<typeof mode>;
