import { isWhitelisted } from '#shared/domain/businesses/ip-whitelist.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { ApiMiddleware } from '#shared/http/kernel/types.ts';

/** The IP whitelist of a secret key. The address is what API Gateway saw; no header can claim another. */
export const checkSourceIp = (): ApiMiddleware => ({
  before: ({ event, context }) => {
    const { key } = context.api;
    if (key?.kind !== 'secret') return;
    if (!isWhitelisted(key.ipWhitelist, event.requestContext.http.sourceIp)) throw new Refusal('ip_not_whitelisted');
  },
});
