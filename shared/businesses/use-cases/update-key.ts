import { type ApiKey, describeKey, hasEnded, quotedName } from '#shared/businesses/domain/api-key.ts';
import { nextBusiness } from '#shared/businesses/domain/business.ts';
import { isWhitelistEntry } from '#shared/businesses/domain/ip-whitelist.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { type ChangeBusinessDeps, changeKey, type KeyInput } from './change-business.ts';

const MAX_ENTRIES = 100;

const parseEntries = (inputs: readonly string[]): string[] => {
  const entries = [...new Set(inputs.map((entry) => entry.trim()))];
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
const listSuccessors = (key: ApiKey, keys: readonly ApiKey[], now: Millis): ApiKey[] => {
  const next = keys.find(({ id }) => id === key.replacedBy);
  return next ? [...(hasEnded(next, now) ? [] : [next]), ...listSuccessors(next, keys, now)] : [];
};

/** What is changed of a key: what is undefined stays. */
export type UpdateKeyInput = KeyInput & {
  /** From where a secret key may be used: addresses or CIDR ranges, IPv4 or IPv6; an empty list means from anywhere. */
  readonly entries?: readonly string[] | undefined;
  /** What its business calls it; null for nothing. */
  readonly name?: string | null | undefined;
};

export interface UpdatedKey {
  readonly key: ApiKey;
  /** The keys that replaced it: what was set does not restrict them. */
  readonly successors: readonly ApiKey[];
}

const inWords = (entries: readonly string[]): string => (entries.length === 0 ? 'any address' : entries.join(', '));

const renamed = (key: ApiKey, name: string | null | undefined): ApiKey => {
  if (name === undefined) return key;
  const { name: _, ...unnamed } = key;
  return name === null ? unnamed : { ...unnamed, name };
};

const describeUpdate = (key: ApiKey, { entries, name }: Pick<UpdateKeyInput, 'entries' | 'name'>): string[] => [
  ...(name === undefined
    ? []
    : [name === null ? `took the name of ${describeKey(key)}` : `called ${describeKey(key)} ${quotedName(name)}`]),
  ...(entries === undefined
    ? []
    : [`set the whitelist of ${describeKey(key)} to ${inWords(entries)}; before, it was ${inWords(key.ipWhitelist)}`]),
];

/**
 * Names a key, or replaces its whitelist: from the next request on only these addresses may use it.
 * @throws NotPossible for a bad entry, too many, an unknown key, one that has ended, or a whitelist of a public one.
 */
export const updateKey = async (
  deps: ChangeBusinessDeps,
  { entries: typed, name, ...input }: UpdateKeyInput,
): Promise<UpdatedKey> => {
  const entries = typed && parseEntries(typed);
  return changeKey(deps, input, (key, business, keys) => {
    const now = deps.now();
    if (entries) ensureRestrictable(key, now);
    const changed = { ...renamed(key, name), ...(entries && { ipWhitelist: entries }) };
    const result = { key: changed, successors: listSuccessors(key, keys, now) };
    const sentences = describeUpdate(key, { entries, name });
    if (sentences.length === 0) return { result };
    const write = { after: nextBusiness(business), changedKeys: [changed], what: sentences.join('; ') };
    return { result, write };
  });
};
