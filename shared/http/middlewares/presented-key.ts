import type { ApiEvent } from '#shared/http/kernel/types.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** Whether the Authorization header has the scheme Bearer and anything after it; without that no key was sent. */
export const hasBearer = ({ headers }: Pick<ApiEvent, 'headers'>): boolean =>
  /^bearer +\S/i.test(headers.authorization?.trim() ?? '');

/** The API key of the Authorization header; undefined when the header is missing or malformed, as two joined headers are. */
export const presentedKey = ({ headers }: Pick<ApiEvent, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization?.trim() ?? '')?.[1];
