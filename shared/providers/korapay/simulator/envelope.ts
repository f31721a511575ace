import type * as z from 'zod';
import type { Answer } from '#shared/providers/common/simulator/wire.ts';

/** providers.md section 3.1: the success envelope. */
export const korapaySuccess = (message: string, data: unknown, extra: Record<string, unknown> = {}): Answer => ({
  status: 200,
  json: { status: true, message, data, ...extra },
});

/** providers.md section 3.1: the error envelope; `data` says what is wrong with a field. */
export const korapayError = (status: number, message: string, data: unknown = null): Answer => ({
  status,
  json: { status: false, message, data },
});

/** The answer to an invalid request; `data` names the wrong field. */
export const invalidData = (error: z.ZodError): Answer =>
  korapayError(
    400,
    'Invalid request data',
    Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), { message }])),
  );
