import { type ApiKey, describeKey, hasEnded } from '#shared/businesses/domain/api-key.ts';
import { addKey } from '#shared/businesses/domain/business.ts';
import { ensureGrace } from '#shared/platform/kernel/ensure-grace.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type ChangeBusinessDeps, changeKey, type KeyInput } from './change-business.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';
import { formatActor } from './record-change.ts';

export type RollKeyInput = KeyInput & {
  /** The time for which the old key still works: 0 to 7 days. Milliseconds. */
  readonly grace: Millis;
};

const ensureRollable = (key: ApiKey, now: Millis): void => {
  if (hasEnded(key, now)) {
    throw new NotPossible(`Key ${key.id} no longer works. Create a new key.`);
  }
  if (key.expiresAt !== null) {
    const until = isoMicros(key.expiresAt);
    throw new NotPossible(`Key ${key.id} was rolled before and works until ${until}. Roll the key that replaced it.`);
  }
};

/** Ends a key after its grace. Without grace the key is revoked, so that it is refused even if a clock is slow. */
const endKey = (key: ApiKey, grace: Millis, now: Millis, replacedBy: string): ApiKey => ({
  ...key,
  ...(grace === 0 ? { revokedAt: now } : { expiresAt: now + grace }),
  replacedBy,
});

/**
 * Replaces a key by a new one with the same mode, kind and whitelist. The old key works until its grace ends.
 * @throws NotPossible for a grace out of range, for an unknown key, and for a key that was rolled before or has ended.
 */
export const rollKey = async (
  deps: ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>,
  { grace, ...input }: RollKeyInput,
): Promise<{ issued: IssuedKey; stored: ApiKey; replaced: ApiKey }> => {
  ensureGrace(grace, 'a rolled key');
  return changeKey(deps, input, (key, business, keys) => {
    const now = deps.now();
    ensureRollable(key, now);
    const { issued, stored } = issueKey(
      deps,
      business,
      { ...key, createdBy: formatActor(input.actor) },
      key.ipWhitelist,
    );
    const replaced = endKey(key, grace, now, issued.id);
    const storedKeys = keys.map((existing) => (existing.id === key.id ? replaced : existing));
    const end = replaced.expiresAt === null ? 'ended at once' : `works until ${isoMicros(replaced.expiresAt)}`;
    return {
      result: { issued, stored, replaced },
      write: {
        after: addKey(business, storedKeys, stored, now),
        newKeys: [stored],
        changedKeys: [replaced],
        what: `rolled ${describeKey(key)}, which ${end}, into ${stored.prefix}…${stored.last4}`,
      },
    };
  });
};
