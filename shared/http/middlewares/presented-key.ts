import type { ApiEvent } from '#shared/http/kernel/types.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** The API key of the Authorization header; undefined when the header is missing or malformed, as two joined headers are. */
export const presentedKey = ({ headers }: Pick<ApiEvent, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization?.trim() ?? '')?.[1];
