import type { KeyKind } from './key-kind.ts';
import type { Mode } from './mode.ts';

/** Whose objects a read may see: one business in one mode. Part of every read (api.md section 1, isolation). */
export interface Tenant {
  readonly businessId: string;
  readonly mode: Mode;
}

/** Who is calling: the tenant that the key stands for, and what kind of key it is. */
export interface Caller extends Tenant {
  readonly keyId: string;
  readonly kind: KeyKind;
}

/** Whether an object belongs to a tenant. */
export const belongsTo = (tenant: Tenant, object: Tenant): boolean =>
  object.businessId === tenant.businessId && object.mode === tenant.mode;
