import { type ApiKey, hasEnded } from '#shared/domain/businesses/api-key.ts';
import { addKey } from '#shared/domain/businesses/business.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import { DAY, isoMicros, type Millis } from '#shared/domain/kernel/time.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import { nameOf } from '#shared/use-cases/kernel/record-change.ts';
import { type ChangeBusinessDeps, changeKey, type KeyInput } from './change-business.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';

/** How long a rolled key still works by default. */
export const DEFAULT_GRACE: Millis = DAY;
const LONGEST_GRACE: Millis = 7 * DAY;

export interface RollKeyInput extends KeyInput {
  /** Milliseconds, 0 to 7 days, for which the old key still works. */
  readonly grace: Millis;
}

const ensureRollable = (key: ApiKey, now: Millis): void => {
  if (hasEnded(key, now)) {
    throw new OperatorError(`Key ${key.id} no longer works. Create a new one.`);
  }
  if (key.expiresAt !== null) {
    const until = isoMicros(key.expiresAt);
    throw new OperatorError(`Key ${key.id} was rolled before and works until ${until}. Roll the key that replaced it.`);
  }
};

/** Without grace the old key is revoked, so that it is refused even where a clock is slow. */
const ending = (key: ApiKey, grace: Millis, now: Millis, replacedBy: string): ApiKey => ({
  ...key,
  ...(grace === 0 ? { revokedAt: now } : { expiresAt: now + grace }),
  replacedBy,
});

/**
 * Replaces a key by a new one with the same mode, kind and whitelist. The old one works until its grace ends.
 * @throws OperatorError for a grace out of range, an unknown key, or one that was rolled or revoked before.
 */
export const rollKey = async (
  deps: ChangeBusinessDeps & Pick<Runtime, 'randomBytes'>,
  { grace, ...of }: RollKeyInput,
): Promise<{ issued: IssuedKey; stored: ApiKey; replaced: ApiKey }> => {
  if (!Number.isSafeInteger(grace) || grace < 0 || grace > LONGEST_GRACE) {
    throw new OperatorError('The grace period of a rolled key must be between 0 and 7 days.');
  }
  return changeKey(deps, of, (key, business, keys) => {
    const now = deps.now();
    ensureRollable(key, now);
    const { issued, stored } = issueKey(deps, business, { ...key, createdBy: nameOf(of.who) }, key.ipWhitelist);
    const replaced = ending(key, grace, now, issued.id);
    const held = keys.map((one) => (one.id === key.id ? replaced : one));
    const last = replaced.expiresAt === null ? 'ended at once' : `works until ${isoMicros(replaced.expiresAt)}`;
    return {
      result: { issued, stored, replaced },
      write: {
        after: addKey(business, held, stored, now),
        newKeys: [stored],
        changedKeys: [replaced],
        what: `rolled the ${key.mode} ${key.kind} key ${key.id}, which ${last}, into ${issued.id}`,
      },
    };
  });
};
