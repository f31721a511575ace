import { type ApiKey, hasEnded } from '#shared/businesses/domain/api-key.ts';
import { nextBusiness } from '#shared/businesses/domain/business.ts';
import { isWhitelistEntry } from '#shared/businesses/domain/ip-whitelist.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { type ChangeBusinessDeps, changeKey, type KeyInput } from './change-business.ts';

const MAX_ENTRIES = 100;

const parseEntries = (given: readonly string[]): string[] => {
  const entries = [...new Set(given.map((entry) => entry.trim()))];
  const wrong = entries.find((entry) => !isWhitelistEntry(entry));
  if (wrong !== undefined) {
    throw new NotPossible(
      `${JSON.stringify(wrong)} is neither an IP address nor a CIDR range. Write 102.89.23.17, 10.0.0.0/8 or 2001:db8::/32.`,
    );
  }
  if (entries.length > MAX_ENTRIES) {
    throw new NotPossible(`A whitelist has at most ${MAX_ENTRIES} entries. Join neighbours into CIDR ranges.`);
  }
  return entries;
};

const ensureRestrictable = (key: ApiKey, now: Millis): void => {
  if (key.kind === 'public') {
    throw new NotPossible(`Key ${key.id} is public, which any browser may use. A whitelist is for secret keys.`);
  }
  if (hasEnded(key, now)) {
    throw new NotPossible(`Key ${key.id} no longer works. Set the whitelist of the key that replaced it.`);
  }
};

/** The keys that a rolled key was rolled into, one after the other, as far as they still work. Each has a whitelist of its own. */
const successorsOf = (key: ApiKey, keys: readonly ApiKey[], now: Millis): ApiKey[] => {
  const next = keys.find(({ id }) => id === key.replacedBy);
  return next ? [...(hasEnded(next, now) ? [] : [next]), ...successorsOf(next, keys, now)] : [];
};

export interface WhitelistSet {
  readonly key: ApiKey;
  /** The keys that replaced it: what was set does not restrict them. */
  readonly successors: readonly ApiKey[];
}

const inWords = (entries: readonly string[]): string => (entries.length === 0 ? 'any address' : entries.join(', '));

/**
 * Replaces the whitelist of a secret key: from the next request on only these addresses may use it; an empty list means no
 * restriction. Entries are addresses or CIDR ranges, IPv4 or IPv6.
 * @throws NotPossible for a bad entry, too many, an unknown key, a public one, or one that has ended.
 */
export const setWhitelist = async (
  deps: ChangeBusinessDeps,
  input: KeyInput & { readonly entries: readonly string[] },
): Promise<WhitelistSet> => {
  const ipWhitelist = parseEntries(input.entries);
  return changeKey(deps, input, (key, business, keys) => {
    const now = deps.now();
    ensureRestrictable(key, now);
    const changed = { ...key, ipWhitelist };
    return {
      result: { key: changed, successors: successorsOf(key, keys, now) },
      write: {
        after: nextBusiness(business),
        changedKeys: [changed],
        what: `set the whitelist of the ${key.mode} key ${key.id} to ${inWords(ipWhitelist)}; before, it was ${inWords(key.ipWhitelist)}`,
      },
    };
  });
};
