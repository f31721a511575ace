import { type ApiKey, hashKey, keyPrefix, newApiKey } from '#shared/domain/api-key.ts';
import type { Business } from '#shared/domain/business.ts';
import type { KeyKind } from '#shared/domain/key-kind.ts';
import type { Mode } from '#shared/domain/mode.ts';
import type { Nature } from '#shared/ports.ts';

/** What a key is for. */
export interface KeySort {
  readonly mode: Mode;
  readonly kind: KeyKind;
}

/** A key in clear text, which exists only in the answer that issues it. */
export interface IssuedKey extends KeySort {
  readonly id: string;
  readonly key: string;
}

const LAST = 4;

/** A new key of a business: in clear text for whoever asked, and as it is stored. */
export const issueKey = (
  nature: Pick<Nature, 'now' | 'newId' | 'randomBytes'>,
  owner: Pick<Business, 'id' | 'suspended'>,
  { mode, kind }: KeySort,
  ipWhitelist: readonly string[] = [],
): { issued: IssuedKey; stored: ApiKey } => {
  const key = newApiKey(kind, mode, nature.randomBytes);
  const id = nature.newId('key');
  const stored: ApiKey = {
    id,
    hash: hashKey(key),
    businessId: owner.id,
    businessSuspended: owner.suspended,
    mode,
    kind,
    prefix: keyPrefix(kind, mode),
    last4: key.slice(-LAST),
    ipWhitelist: [...ipWhitelist],
    createdAt: nature.now(),
    revokedAt: null,
    expiresAt: null,
  };
  return { issued: { id, mode, kind, key }, stored };
};
