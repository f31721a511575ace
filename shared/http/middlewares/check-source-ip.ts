import { isWhitelisted } from '#shared/domain/businesses/ip-whitelist.ts';
import { KeyRefusal } from '#shared/domain/kernel/errors.ts';
import type { ApiMiddleware } from '#shared/http/kernel/types.ts';

/** Enforces a secret key's IP whitelist, with the address that API Gateway saw, never one from a header. */
export const checkSourceIp = (): ApiMiddleware => ({
  before: ({ event, context }) => {
    const { key } = context.api;
    if (key?.kind !== 'secret') return;
    if (!isWhitelisted(key.ipWhitelist, event.requestContext.http.sourceIp)) throw new KeyRefusal('ip_not_whitelisted');
  },
});
