import { createHash, createHmac } from 'node:crypto';
import type { FieldError } from '#shared/platform/kernel/errors.ts';
import type { Requester, Tenant } from '#shared/platform/kernel/tenant.ts';

const BARE = /^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/;
const QUOTED = /^"([\x21\x23-\x7e]{1,255})"$/;

/**
 * Parses an Idempotency-Key header: 1–255 visible ASCII characters, bare or quoted as in the IETF draft. Returns undefined for anything else.
 * A bare key has no comma, because API Gateway joins two headers of the same name with a comma.
 */
export const parseIdempotencyKey = (header: string): string | undefined =>
  QUOTED.exec(header)?.[1] ?? (BARE.test(header) ? header : undefined);

/** The error for a header that `parseIdempotencyKey` does not take. */
export const WRONG_IDEMPOTENCY_KEY: FieldError = {
  field: 'Idempotency-Key',
  message: 'Idempotency-Key must be sent once and hold 1 to 255 visible ASCII characters without a comma.',
};

/**
 * Computes the scope of an Idempotency-Key: business, mode, kind of API key, method, path and the key itself, hashed to bound its length. The
 * kind keeps the Idempotency-Keys of browsers apart from those of servers. Strangers share a public API key, so for a public key the scope
 * also has the address block, which keeps browsers in different networks apart.
 */
export const idempotencyScope = (
  request: Tenant & Requester & { readonly method: string; readonly path: string; readonly key: string },
): string => {
  const { businessId, mode, kind, addressBlock, method, path, key } = request;
  const asker = kind === 'public' ? [kind, addressBlock] : [kind];
  return createHash('sha256')
    .update(JSON.stringify([businessId, mode, ...asker, method, path, key]))
    .digest('hex');
};

/** Computes a hash of query and body with a secret. Without the secret, a BVN in the body could be found from the hash by trying all numbers. */
export const requestFingerprint = (secret: string, query: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`request\n${query}\n`).update(body).digest('hex');
