import type * as z from 'zod';
import type { Answer } from '#shared/providers/common/simulator/wire.ts';

/** Builds a success answer (providers.md section 3.1). */
export const korapaySuccess = (message: string, data: unknown, extra: Record<string, unknown> = {}): Answer => ({
  status: 200,
  json: { status: true, message, data, ...extra },
});

/** Builds an error answer (providers.md section 3.1). `data` describes the errors of single fields. */
export const korapayError = (status: number, message: string, data: unknown = null): Answer => ({
  status,
  json: { status: false, message, data },
});

/** Builds the answer to an invalid request. Its `data` names the wrong fields. */
export const invalidData = (error: z.ZodError): Answer =>
  korapayError(
    400,
    'Invalid request data',
    Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), { message }])),
  );
