import type { KeyKind } from './key-kind.ts';
import type { Mode } from './mode.ts';

/** One business in one mode. Every read names the tenant whose objects it may return (api-decisions.md section 1, isolation). */
export interface Tenant {
  readonly businessId: string;
  readonly mode: Mode;
}

/** Who calls: a key, or a user who is signed in to the dashboard. */
export interface Actor {
  readonly kind: 'key' | 'user';
  readonly id: string;
}

/** The caller of an endpoint: whose it is, who calls, and where the request came from. */
export interface Caller extends Tenant {
  readonly actor: Actor;
  /** The kind of key; a user may what a secret key may, as far as the role goes. */
  readonly kind: KeyKind;
  /** What payers see its business named. */
  readonly displayName: string;
  /** Whether its checkouts that name no provider may go to another than the stage's default. */
  readonly isRouted: boolean;
  /** The block of its address (address-block.ts), which tells apart browsers that share a public key. */
  readonly addressBlock: string;
}

/** Who asks something for a business: its servers, or a browser at an address. */
export type Asker = Pick<Caller, 'businessId' | 'mode' | 'kind' | 'addressBlock'>;

/** Whether an object belongs to a tenant. */
export const belongsTo = (tenant: Tenant, object: Tenant): boolean =>
  object.businessId === tenant.businessId && object.mode === tenant.mode;
