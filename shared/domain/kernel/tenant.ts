import type { KeyKind } from './key-kind.ts';
import type { Mode } from './mode.ts';

/** One business in one mode. Every read names the tenant whose objects it may return (api-decisions.md section 1, isolation). */
export interface Tenant {
  readonly businessId: string;
  readonly mode: Mode;
}

/** The caller of an endpoint: the key's tenant, its id and its kind, and where the request came from. */
export interface Caller extends Tenant {
  readonly keyId: string;
  readonly kind: KeyKind;
  /** The block of its address (address-block.ts), which tells apart browsers that share a public key. */
  readonly addressBlock: string;
}

/** Who asks something for a business: its servers, or a browser at an address. */
export type Asker = Pick<Caller, 'businessId' | 'mode' | 'kind' | 'addressBlock'>;

/** Whether an object belongs to a tenant. */
export const belongsTo = (tenant: Tenant, object: Tenant): boolean =>
  object.businessId === tenant.businessId && object.mode === tenant.mode;
