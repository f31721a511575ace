import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { email } from '#shared/platform/contract/email.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { meAnswer } from './me-view.ts';

const unsigned = { keys: [], testOnly: false, idempotent: false, params: nothing, query: nothing } as const;

/** POST /api/dashboard/sign-in. */
export const startSignInContract = contract({
  ...unsigned,
  method: 'POST',
  path: '/api/dashboard/sign-in',
  summary: 'Ask for a code by mail. The answer is the same for every address.',
  body: z.object({ email }),
  success: { status: 202, body: success(z.object({ code_expires_in: z.number() })) },
  errors: ['validation_failed', 'rate_limited'],
});

/** POST /api/dashboard/sign-in/verify. */
export const finishSignInContract = contract({
  ...unsigned,
  method: 'POST',
  path: '/api/dashboard/sign-in/verify',
  summary: 'Sign in with the code that was mailed.',
  body: z.object({ code: z.string('must be a string.').check(z.regex(/^\d{8}$/, 'must be eight digits.')) }),
  success: { status: 200, body: success(meAnswer) },
  errors: ['validation_failed'],
});
