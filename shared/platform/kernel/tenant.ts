import type { KeyKind } from './key-kind.ts';
import type { Mode } from './mode.ts';

/** One business in one mode. Every read names the tenant whose objects it may return. */
export interface Tenant {
  readonly businessId: string;
  readonly mode: Mode;
}

/** A key, or a user who is signed in to the dashboard. */
export interface Actor {
  readonly kind: 'key' | 'user';
  readonly id: string;
}

/** The caller of an endpoint: the tenant, the key or user, and the network that it calls from. */
export interface Caller extends Tenant {
  readonly actor: Actor;
  /** The kind of key. A user may do what a secret key may, within the role. */
  readonly kind: KeyKind;
  /** The name of the business that payers see. */
  readonly displayName: string;
  /** Whether the business's checkouts that name no provider may go to a provider other than the stage's default. */
  readonly isRouted: boolean;
  /** The block of its address (address-block.ts), which distinguishes browsers with the same public key. */
  readonly addressBlock: string;
}

/** The sender of a request for a business: its servers, or a browser at an address. */
export type Requester = Pick<Caller, 'businessId' | 'mode' | 'kind' | 'addressBlock'>;

/** Checks whether an object belongs to a tenant. */
export const belongsTo = (tenant: Tenant, object: Tenant): boolean =>
  object.businessId === tenant.businessId && object.mode === tenant.mode;
