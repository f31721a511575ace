import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, pathId } from '#shared/platform/contract/params.ts';
import { readableText } from '#shared/platform/contract/request-fields.ts';
import { meAnswer } from './me-view.ts';
import { challengeAnswer, creationAnswer, passkeysAnswer } from './passkey-view.ts';

/* The contracts of passkeys, as browsers make and use them (WebAuthn Level 3, section 5.1). */

const shared = { keys: [], testOnly: false, idempotent: false, params: nothing, query: nothing } as const;

/** The most characters of a value from an authenticator: far more than any authenticator sends. */
const MAX_CHARACTERS = 16_384;
const base64url = z
  .string('must be a text.')
  .check(z.regex(/^[\w-]+$/, 'must be base64url.'), z.maxLength(MAX_CHARACTERS, 'is too long.'));
const LONGEST_NAME = 60;

/** POST /api/dashboard/passkeys/options. */
export const startPasskeyContract = contract({
  ...shared,
  method: 'POST',
  path: '/api/dashboard/passkeys/options',
  summary: 'Begin to add a passkey: get the options for the browser.',
  body: null,
  success: { status: 200, body: success(creationAnswer) },
  errors: ['rate_limited'],
});

/** POST /api/dashboard/passkeys. */
export const addPasskeyContract = contract({
  ...shared,
  method: 'POST',
  path: '/api/dashboard/passkeys',
  summary: 'Add a passkey.',
  body: z.object({
    name: readableText(LONGEST_NAME),
    id: base64url,
    response: z.object({ clientDataJSON: base64url, attestationObject: base64url }),
  }),
  success: { status: 201, body: success(passkeysAnswer) },
  errors: ['validation_failed'],
});

/** DELETE /api/dashboard/passkeys/{id}. */
export const removePasskeyContract = contract({
  ...shared,
  method: 'DELETE',
  path: '/api/dashboard/passkeys/{id}',
  summary: 'Remove a passkey, and end the user’s other sessions.',
  params: z.object({ id: pathId }),
  body: null,
  success: { status: 200, body: success(passkeysAnswer) },
  errors: [],
});

/** POST /api/dashboard/passkeys/challenge. */
export const challengePasskeyContract = contract({
  ...shared,
  method: 'POST',
  path: '/api/dashboard/passkeys/challenge',
  summary: 'Get a challenge for a passkey, to sign in or to step up.',
  body: null,
  success: { status: 200, body: success(challengeAnswer) },
  errors: ['rate_limited'],
});

/** POST /api/dashboard/passkeys/verify. */
export const usePasskeyContract = contract({
  ...shared,
  method: 'POST',
  path: '/api/dashboard/passkeys/verify',
  summary: 'Sign in with a passkey, or step up.',
  body: z.object({
    id: base64url,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url,
    }),
  }),
  success: { status: 200, body: success(meAnswer) },
  errors: ['validation_failed'],
});
