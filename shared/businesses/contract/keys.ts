import * as z from 'zod/mini';
import { LONGEST_KEY_NAME } from '#shared/businesses/domain/api-key.ts';
import { isWhitelistEntry } from '#shared/businesses/domain/ip-whitelist.ts';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { graceSeconds } from '#shared/platform/contract/grace-seconds.ts';
import { nothing, pathId } from '#shared/platform/contract/params.ts';
import { readableText } from '#shared/platform/contract/request-fields.ts';
import { keyKind } from '#shared/platform/kernel/key-kind.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { issuedKeyAnswer, keyAnswer } from './key-view.ts';

/* The API keys of a business, in the mode that its dashboard shows. */

const MAX_ENTRIES = 100;

const shared = { keys: [], testOnly: false, idempotent: false, query: nothing } as const;
const change = { ...shared, session: 'developer', stepUp: 'live', isRecorded: true } as const;
const keyId = z.object({ id: pathId });
/** A key's name, such as “Checkout server”. */
const keyName = readableText(LONGEST_KEY_NAME, (text) => text.trim());

/** GET /api/dashboard/v1/keys. */
export const listKeysContract = contract({
  ...shared,
  session: 'viewer',
  method: 'GET',
  path: '/api/dashboard/v1/keys',
  summary: 'The API keys of the business, and the address that this request came from.',
  params: nothing,
  body: null,
  success: { status: 200, body: success(z.object({ keys: z.array(keyAnswer), your_address: text })) },
  errors: [],
});

/** POST /api/dashboard/v1/keys. */
export const createKeyContract = contract({
  ...change,
  method: 'POST',
  path: '/api/dashboard/v1/keys',
  summary: 'Create a key. Only this answer shows it.',
  params: nothing,
  body: z.object({ kind: z.enum(keyKind.options, 'must be secret or public.'), name: z.optional(keyName) }),
  success: { status: 201, body: success(issuedKeyAnswer) },
  errors: ['validation_failed'],
});

/** POST /api/dashboard/v1/keys/{id}/roll. */
export const rollKeyContract = contract({
  ...change,
  method: 'POST',
  path: '/api/dashboard/v1/keys/{id}/roll',
  summary: 'Replace a key by a new one, which only this answer shows. The old key works until its grace ends.',
  params: keyId,
  body: z.object({
    grace_seconds: graceSeconds,
  }),
  success: { status: 201, body: success(issuedKeyAnswer) },
  errors: ['validation_failed'],
});

/** POST /api/dashboard/v1/keys/{id}/revoke. */
export const revokeKeyContract = contract({
  ...change,
  method: 'POST',
  path: '/api/dashboard/v1/keys/{id}/revoke',
  summary: 'Revoke a key. It stops working with its next request.',
  params: keyId,
  body: null,
  success: { status: 200, body: success(keyAnswer) },
  errors: [],
});

/** PATCH /api/dashboard/v1/keys/{id}. */
export const setKeyWhitelistContract = contract({
  ...change,
  method: 'PATCH',
  path: '/api/dashboard/v1/keys/{id}',
  summary: 'Name a key, or set the addresses that may use a secret key. An empty list allows any address.',
  params: keyId,
  body: z.object({
    /** Null removes the name. */
    name: z.optional(z.nullable(keyName)),
    ip_whitelist: z.optional(
      z
        .array(
          z
            .string('must be a text.')
            .check(
              z.refine(isWhitelistEntry, 'must be an IP address or a CIDR range, such as 102.89.23.17 or 10.0.0.0/8.'),
            ),
          'must be a list of addresses.',
        )
        .check(z.maxLength(MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries.`)),
    ),
  }),
  success: { status: 200, body: success(keyAnswer) },
  errors: ['validation_failed'],
});
