import { type ApiKey, hashKey, isWellFormedKey, kindAndModeOf } from '#shared/domain/businesses/api-key.ts';
import type { ApiEvent } from '#shared/http/kernel/types.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** Whether the Authorization header has the scheme Bearer and anything after it; without that no key was sent. */
export const hasBearer = ({ headers }: Pick<ApiEvent, 'headers'>): boolean =>
  /^bearer +\S/i.test(headers.authorization?.trim() ?? '');

/** What can be told of a key before it is looked up. */
export type PresentedKey = Pick<ApiKey, 'hash' | 'kind' | 'mode'>;

/** The API key of the Authorization header; undefined when there is none, or what has not the form of one, as two joined headers. */
export const presentedKey = ({ headers }: Pick<ApiEvent, 'headers'>): PresentedKey | undefined => {
  const key = BEARER.exec(headers.authorization?.trim() ?? '')?.[1];
  return key !== undefined && isWellFormedKey(key) ? { hash: hashKey(key), ...kindAndModeOf(key) } : undefined;
};
