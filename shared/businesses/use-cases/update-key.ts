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
    throw new NotPossible(`Key ${key.id} is public: any browser may use it. Only secret keys have a whitelist.`);
  }
  if (hasEnded(key, now)) {
    throw new NotPossible(`Key ${key.id} no longer works. Set the whitelist of the key that replaced it.`);
  }
};

/** Lists the working keys that replaced a key, one after the other. Each has a whitelist of its own. */
const listSuccessors = (key: ApiKey, keys: readonly ApiKey[], now: Millis): ApiKey[] => {
  const next = keys.find(({ id }) => id === key.replacedBy);
  return next ? [...(hasEnded(next, now) ? [] : [next]), ...listSuccessors(next, keys, now)] : [];
};

/** The changes of a key: an undefined field stays. */
export type UpdateKeyInput = KeyInput & {
  /** The addresses or CIDR ranges, IPv4 or IPv6, that may use a secret key. An empty list allows any address. */
  readonly entries?: readonly string[] | undefined;
  /** The key's new name; null removes it. */
  readonly name?: string | null | undefined;
};

export interface UpdatedKey {
  readonly key: ApiKey;
  /** The keys that replaced it. The change does not hold for them. */
  readonly successors: readonly ApiKey[];
}

const describeEntries = (entries: readonly string[]): string =>
  entries.length === 0 ? 'any address' : entries.join(', ');

const rename = (key: ApiKey, name: string | null | undefined): ApiKey => {
  if (name === undefined) return key;
  const { name: _, ...unnamed } = key;
  return name === null ? unnamed : { ...unnamed, name };
};

const describeUpdate = (key: ApiKey, { entries, name }: Pick<UpdateKeyInput, 'entries' | 'name'>): string[] => [
  ...(name === undefined
    ? []
    : [name === null ? `removed the name of ${describeKey(key)}` : `named ${describeKey(key)} ${quotedName(name)}`]),
  ...(entries === undefined
    ? []
    : [
        `set the whitelist of ${describeKey(key)} to ${describeEntries(entries)}; before, it was ${describeEntries(key.ipWhitelist)}`,
      ]),
];

/**
 * Changes the name of a key or its whitelist. From the next request on, only the addresses of the whitelist may use the key; if it is empty, any
 * address may.
 * @throws the errors of `changeKey`; NotPossible for a bad entry or too many entries, and for the whitelist of a public key or of a key that has
 * ended.
 */
export const updateKey = async (
  deps: ChangeBusinessDeps,
  { entries: input, name, ...keyInput }: UpdateKeyInput,
): Promise<UpdatedKey> => {
  const entries = input && parseEntries(input);
  return changeKey(deps, keyInput, (key, business, keys) => {
    const now = deps.now();
    if (entries) ensureRestrictable(key, now);
    const changed = { ...rename(key, name), ...(entries && { ipWhitelist: entries }) };
    const result = { key: changed, successors: listSuccessors(key, keys, now) };
    const sentences = describeUpdate(key, { entries, name });
    if (sentences.length === 0) return { result };
    const write = { after: nextBusiness(business), changedKeys: [changed], what: sentences.join('; ') };
    return { result, write };
  });
};
