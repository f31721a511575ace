import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';

/** How many keys a container remembers. */
const MAX_REMEMBERED = 1_000;

/**
 * Keys that this container has admitted lately, by their hashes, and whose they are. It decides what can begin beside a key's look-up,
 * and admits nobody. A key with a whitelist is not remembered: a stranger who has stolen it must cost its owner nothing.
 */
export interface AdmittedKeys {
  tenantOf(hash: string): Tenant | undefined;
  add(key: ApiKey): void;
  forget(hash: string): void;
}

export const admittedKeys = (): AdmittedKeys => {
  const tenants = new Map<string, Tenant>();
  return {
    tenantOf: (hash) => tenants.get(hash),
    add: ({ hash, businessId, mode, ipWhitelist }) => {
      tenants.delete(hash);
      if (ipWhitelist.length > 0) return;
      if (tenants.size >= MAX_REMEMBERED) tenants.clear();
      tenants.set(hash, { businessId, mode });
    },
    forget: (hash) => {
      tenants.delete(hash);
    },
  };
};
