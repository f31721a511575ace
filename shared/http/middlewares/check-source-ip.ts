import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import { isWhitelisted } from '#shared/domain/businesses/ip-whitelist.ts';
import { KeyRefusal } from '#shared/domain/kernel/errors.ts';
import type { ApiEvent, ApiMiddleware } from '#shared/http/kernel/types.ts';

/** @throws KeyRefusal `ip_not_whitelisted` for a secret key that is used from elsewhere. */
export const ensureWhitelisted = ({ kind, ipWhitelist }: ApiKey, event: ApiEvent): void => {
  if (kind !== 'secret') return;
  if (!isWhitelisted(ipWhitelist, event.requestContext.http.sourceIp)) throw new KeyRefusal('ip_not_whitelisted');
};

/** Enforces a secret key's IP whitelist, with the address that API Gateway saw, never one from a header. */
export const checkSourceIp = (): ApiMiddleware => ({
  before: ({ event, context }) => {
    if (context.api.key) ensureWhitelisted(context.api.key, event);
  },
});
