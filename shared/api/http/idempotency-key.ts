import { createHash, createHmac } from 'node:crypto';
import type { FieldError } from '#shared/platform/kernel/errors.ts';
import type { Asker, Tenant } from '#shared/platform/kernel/tenant.ts';

const BARE = /^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/;
const QUOTED = /^"([\x21\x23-\x7e]{1,255})"$/;

/**
 * The key of an Idempotency-Key header, or undefined: 1–255 visible ASCII characters, bare or quoted as in the IETF draft.
 * No comma in a bare key: that is what two headers look like once API Gateway has joined them.
 */
export const parseIdempotencyKey = (header: string): string | undefined =>
  QUOTED.exec(header)?.[1] ?? (BARE.test(header) ? header : undefined);

/** What is wrong with a header that `parseIdempotencyKey` does not take. */
export const WRONG_IDEMPOTENCY_KEY: FieldError = {
  field: 'Idempotency-Key',
  message: 'Idempotency-Key must be sent once and hold 1 to 255 visible ASCII characters without a comma.',
};

/**
 * The scope of a key: one business, mode, kind of API key, method and path. Under a public key, which strangers share, also one address
 * block: so a browser's Idempotency-Key collides with none of a server or of a browser elsewhere. Hashed to bound its length.
 */
export const idempotencyScope = (
  request: Tenant & Asker & { readonly method: string; readonly path: string; readonly key: string },
): string => {
  const { businessId, mode, kind, addressBlock, method, path, key } = request;
  const asker = kind === 'public' ? [kind, addressBlock] : [kind];
  return createHash('sha256')
    .update(JSON.stringify([businessId, mode, ...asker, method, path, key]))
    .digest('hex');
};

/** A keyed hash of query and body. Keyed, because the plain hash of a body with a BVN could be guessed. */
export const requestFingerprint = (secret: string, query: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(`request\n${query}\n`).update(body).digest('hex');
