import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import { isWhitelisted, seenAddress } from '#shared/domain/businesses/ip-whitelist.ts';
import { KeyRefusal } from '#shared/domain/kernel/errors.ts';
import type { ApiEvent, ApiMiddleware } from '#shared/http/kernel/types.ts';

/** @throws KeyRefusal `ip_not_whitelisted` for a secret key that is used from elsewhere; it names the address that was seen. */
export const ensureWhitelisted = ({ kind, ipWhitelist }: ApiKey, event: ApiEvent): void => {
  const { sourceIp } = event.requestContext.http;
  if (kind !== 'secret' || isWhitelisted(ipWhitelist, sourceIp)) return;
  const message = `ip ${seenAddress(sourceIp)} is not on the whitelist of this key. Add it in the dashboard under API keys, or have whoever runs this service add it.`;
  throw new KeyRefusal('ip_not_whitelisted', { errors: [{ field: 'ip', message }] });
};

/** Enforces a secret key's IP whitelist, with the address that API Gateway saw, never one from a header. */
export const checkSourceIp = (): ApiMiddleware => ({
  before: ({ event, context }) => {
    if (context.api.key) ensureWhitelisted(context.api.key, event);
  },
});
