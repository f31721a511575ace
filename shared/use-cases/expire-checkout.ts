import { expire } from '#shared/domain/checkout.ts';
import type { Tenant } from '#shared/domain/tenant.ts';
import { type ChangeDeps, changeCheckout } from './change-checkout.ts';

/** Expires a checkout whose time is up and announces it; one that money has reached meanwhile stays as it is. */
export const expireCheckout = async (deps: ChangeDeps, tenant: Tenant, reference: string): Promise<void> => {
  await changeCheckout(deps, tenant, reference, (checkout) => expire(checkout, deps.now()));
};
