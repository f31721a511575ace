import type { ApiKey } from '#shared/businesses/domain/api-key.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import type { BusinessStore } from '#shared/businesses/ports.ts';
import { comparableName } from '#shared/platform/kernel/comparable-name.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';

export interface FindDeps {
  readonly businesses: BusinessStore;
}

const PAGE_SIZE = 100;

/** Checks that a text has the form of an id, without reading anything. The error does not repeat the text: it may be a key. */
const ensureShape = (prefix: 'biz' | 'key', noun: string, id: string): void => {
  if (idSchema(prefix).safeParse(id).success) return;
  throw new NotPossible(`That is not the id of a ${noun}. An id is ${prefix}_ and 26 characters.`);
};

/** Finds a business by its id. @throws NotPossible if there is none. */
export const findBusiness = async (deps: FindDeps, id: string): Promise<Business> => {
  ensureShape('biz', 'business', id);
  const business = await deps.businesses.find(id);
  if (business) return business;
  throw new NotPossible(`There is no business ${id}.`, 'businesses');
};

/** Finds a key by its id. @throws NotPossible if there is none. */
export const findKey = async (deps: FindDeps, id: string): Promise<ApiKey> => {
  ensureShape('key', 'key', id);
  const key = await deps.businesses.findKey(id);
  if (key) return key;
  throw new NotPossible(`There is no key ${id}.`, 'keys');
};

/** Reads all businesses, newest first. */
export const allBusinesses = async (deps: FindDeps): Promise<Business[]> => {
  const all: Business[] = [];
  for (let after: string | null = null; ; ) {
    const page = await deps.businesses.list({ limit: PAGE_SIZE, after });
    all.push(...page.items);
    if (page.next === null) return all;
    after = page.next;
  }
};

/** The most businesses that a search by name returns. */
const MAX_NAMED = 50;
/** Finds businesses whose names contain a text, as `comparableName` compares them: the newest fifty. @throws NotPossible if there is none. */
export const findBusinessesByName = async (deps: FindDeps, text: string): Promise<Business[]> => {
  const query = comparableName(text);
  if (query === '') throw new NotPossible('Give a part of the name of the business.', 'businesses');
  const matches = (await allBusinesses(deps)).filter(({ name }) => comparableName(name).includes(query));
  if (matches.length > 0) return matches.slice(0, MAX_NAMED);
  throw new NotPossible('No business has this text in its name.', 'businesses');
};
