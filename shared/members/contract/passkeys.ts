import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing, pathId } from '#shared/platform/contract/params.ts';
import { readableText } from '#shared/platform/contract/request-fields.ts';
import { meAnswer } from './me-view.ts';
import { challengeAnswer, creationAnswer, passkeysAnswer } from './passkey-view.ts';

/* Passkeys, as browsers make and use them (WebAuthn Level 3, section 5.1): decisions/0032-passkeys.md. */

const shared = { keys: [], testOnly: false, idempotent: false, params: nothing, query: nothing } as const;

/** The longest that an authenticator's part may be: far beyond what any sends. */
const MOST_LETTERS = 16_384;
const signed = z
  .string('must be a text.')
  .check(z.regex(/^[\w-]+$/, 'must be base64url.'), z.maxLength(MOST_LETTERS, 'is too long.'));
const LONGEST_NAME = 60;

/** POST /api/dashboard/passkeys/options: what a browser needs to make one. */
export const startPasskeyContract = contract({
  ...shared,
  method: 'POST',
  path: '/api/dashboard/passkeys/options',
  summary: 'Begin to add a passkey.',
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
    id: signed,
    response: z.object({ clientDataJSON: signed, attestationObject: signed }),
  }),
  success: { status: 201, body: success(passkeysAnswer) },
  errors: ['validation_failed'],
});

/** DELETE /api/dashboard/passkeys/{id}. */
export const removePasskeyContract = contract({
  ...shared,
  method: 'DELETE',
  path: '/api/dashboard/passkeys/{id}',
  summary: 'Remove a passkey, and end the other sessions.',
  params: z.object({ id: pathId }),
  body: null,
  success: { status: 200, body: success(passkeysAnswer) },
  errors: [],
});

/** POST /api/dashboard/passkeys/challenge: for whoever signs in with one, or steps up. */
export const challengePasskeyContract = contract({
  ...shared,
  method: 'POST',
  path: '/api/dashboard/passkeys/challenge',
  summary: 'What a passkey is to sign.',
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
    id: signed,
    response: z.object({
      clientDataJSON: signed,
      authenticatorData: signed,
      signature: signed,
      userHandle: signed,
    }),
  }),
  success: { status: 200, body: success(meAnswer) },
  errors: ['validation_failed'],
});
