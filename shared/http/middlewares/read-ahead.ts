import type { Contract } from '#shared/contract/kernel/contract.ts';
import { belongsTo, type Tenant } from '#shared/domain/kernel/tenant.ts';
import type { ApiEvent, ApiInput, RequestState } from '#shared/http/kernel/types.ts';
import type { AdmittedKeys } from './admitted-keys.ts';
import { takeBody } from './read-body.ts';
import { takeInput } from './validate.ts';

/** What an endpoint reads first, for the tenant that calls. */
export type FirstRead<C extends Contract, R> = (tenant: Tenant, input: ApiInput<C>) => Promise<R>;

/** An endpoint's first read, which may begin before it is known who calls. */
export interface ReadAhead<C extends Contract, R> {
  /** Begins it when this container has admitted the key before, and so knows whose it is. Throws nothing: the checks that follow do. */
  start(event: ApiEvent, state: RequestState<C>, keyHash: string): void;
  /** What was read ahead, once and only for the tenant that it was read for; otherwise reads it now. */
  take(state: RequestState<C>, tenant: Tenant, input: ApiInput<C>): Promise<R>;
}

/**
 * Reads ahead: an endpoint's first read and the look-up of its caller's key are one call of DynamoDB (shared-reads.ts) when they are
 * asked for in the same turn of the event loop. Nothing that was read ahead is used before every check of who calls is passed.
 */
export const readAhead = <C extends Contract, R>(
  contract: C,
  admitted: AdmittedKeys,
  read: FirstRead<C, R>,
): ReadAhead<C, R> => {
  const started = new WeakMap<RequestState<C>, { readonly tenant: Tenant; readonly found: Promise<R> }>();
  return {
    start: (event, state, keyHash) => {
      const tenant = admitted.tenantOf(keyHash);
      if (!tenant) return;
      let input: ApiInput<C>;
      try {
        takeBody(contract, event, state);
        input = takeInput(contract, event, state);
      } catch {
        return;
      }
      const found = read(tenant, input);
      // A request that is refused leaves it unused.
      found.catch(() => {});
      started.set(state, { tenant, found });
    },
    take: (state, tenant, input) => {
      const ahead = started.get(state);
      started.delete(state);
      return ahead && belongsTo(tenant, ahead.tenant) ? ahead.found : read(tenant, input);
    },
  };
};

/** Of an endpoint that reads nothing ahead. */
export const NOTHING_AHEAD: ReadAhead<Contract, undefined> = { start: () => {}, take: async () => undefined };
