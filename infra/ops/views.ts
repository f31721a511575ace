import { type ApiKey, hasEnded } from '#shared/businesses/domain/api-key.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import { logoPath } from '#shared/businesses/domain/logo-path.ts';
import { supportText } from '#shared/businesses/domain/profile.ts';
import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';

/** Formats a time for the command's JSON. */
export const formatTime = (at: Millis | null): string | null => (at === null ? null : isoMicros(at));

/** A business in the command's JSON. */
export const businessView = (business: Business) => ({
  id: business.id,
  name: business.name,
  suspended: business.suspended,
  created_at: isoMicros(business.createdAt),
  profile: {
    display_name: business.profile.displayName,
    support: business.profile.support && supportText(business.profile.support),
    websites: business.profile.websites,
    brand_color: business.profile.brandColor,
    routing: business.profile.isRouted,
    logo: business.profile.logo && logoPath(business.profile.logo),
  },
});

/** A key in the command's JSON, without its secret text. */
export const keyView = (key: ApiKey) => ({
  id: key.id,
  mode: key.mode,
  kind: key.kind,
  prefix: key.prefix,
  last4: key.last4,
  name: key.name ?? null,
  ip_whitelist: key.ipWhitelist,
  created_at: isoMicros(key.createdAt),
  expires_at: formatTime(key.expiresAt),
  revoked_at: formatTime(key.revokedAt),
});

/** Says whether a key works. */
export const keyState = (key: ApiKey, now: Millis): string => {
  if (key.revokedAt !== null) return 'revoked';
  if (hasEnded(key, now)) return 'expired';
  if (key.businessSuspended) return 'suspended';
  return key.expiresAt === null ? 'works' : `works until ${isoMicros(key.expiresAt)}`;
};
