import type { ApiEvent } from '#shared/http/kernel/types.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** The API key of an Authorization header; undefined when there is none, or one that is malformed, as two of them joined are. */
export const presentedKey = ({ headers }: Pick<ApiEvent, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization?.trim() ?? '')?.[1];
