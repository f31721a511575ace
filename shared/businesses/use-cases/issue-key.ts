import { type ApiKey, hashKey, keyPrefix, newApiKey } from '#shared/businesses/domain/api-key.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import type { KeyKind } from '#shared/platform/kernel/key-kind.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Runtime } from '#shared/platform/ports.ts';

/** A key's mode and kind. */
export interface KeyType {
  readonly mode: Mode;
  readonly kind: KeyKind;
}

/** The facts of a new key. */
interface NewKey extends KeyType {
  readonly createdBy: string;
  readonly name?: string | undefined;
}

/** A new key in clear text. Only the result of the call that makes the key contains it; the clear text is never stored. */
export interface IssuedKey extends KeyType {
  readonly id: string;
  readonly key: string;
}

const LAST_CHARACTERS = 4;

/** Makes a new key of a business, in clear text and as it is stored. */
export const issueKey = (
  runtime: Pick<Runtime, 'now' | 'newId' | 'randomBytes'>,
  owner: Pick<Business, 'id' | 'suspended' | 'profile'>,
  { mode, kind, createdBy, name }: NewKey,
  ipWhitelist: readonly string[] = [],
): { issued: IssuedKey; stored: ApiKey } => {
  const key = newApiKey(kind, mode, runtime.randomBytes);
  const id = runtime.newId('key');
  const stored: ApiKey = {
    id,
    hash: hashKey(key),
    businessId: owner.id,
    businessSuspended: owner.suspended,
    businessDisplayName: owner.profile.displayName,
    businessIsRouted: owner.profile.isRouted,
    mode,
    kind,
    prefix: keyPrefix(kind, mode),
    last4: key.slice(-LAST_CHARACTERS),
    ...(name !== undefined && { name }),
    ipWhitelist: [...ipWhitelist],
    createdAt: runtime.now(),
    createdBy,
    revokedAt: null,
    expiresAt: null,
  };
  return { issued: { id, mode, kind, key }, stored };
};
