import type { Contract } from '#shared/contract/kernel/contract.ts';
import { type ApiKey, isUsable } from '#shared/domain/businesses/api-key.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Caller } from '#shared/domain/kernel/tenant.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { addressBlock } from '#shared/domain/requests/address-block.ts';
import type { ApiDeps, ApiEvent, ApiMiddleware } from '#shared/http/kernel/types.ts';
import { hasBearer, presentedKey } from './presented-key.ts';
import type { ReadAhead } from './read-ahead.ts';

/**
 * Who calls with a key as it was read; null for one that was never issued (api-decisions.md section 2).
 * @throws the refusals invalid_api_key, public_key_not_permitted, business_id_required, business_id_mismatch.
 */
export const callerOf = (contract: Contract, event: ApiEvent, key: ApiKey | null, now: Millis): Caller => {
  if (!key || !isUsable(key, now)) throw new Refusal('invalid_api_key');
  if (!contract.keys.includes(key.kind)) throw new Refusal('public_key_not_permitted');
  if (key.kind === 'public') {
    const requested = event.headers['x-business-id']?.trim();
    if (!requested) throw new Refusal('business_id_required');
    if (requested !== key.businessId) throw new Refusal('business_id_mismatch');
  }
  return {
    businessId: key.businessId,
    mode: key.mode,
    actor: { kind: 'key', id: key.id },
    kind: key.kind,
    displayName: key.businessDisplayName,
    addressBlock: addressBlock(event.requestContext.http.sourceIp),
  };
};

/**
 * Authenticates the caller: a well-formed key, known and usable, of a kind that this endpoint takes, and with a public key its business's
 * id. Two Authorization headers arrive joined and count as malformed. Reading ahead starts beside the key's look-up.
 */
export const authenticate = <C extends Contract>(
  contract: C,
  deps: Pick<ApiDeps, 'keys' | 'now'>,
  { start }: ReadAhead<C, unknown>,
): ApiMiddleware<C> => ({
  before: async ({ event, context }) => {
    if (!hasBearer(event)) throw new Refusal('missing_api_key');
    const presented = presentedKey(event);
    if (!presented) throw new Refusal('invalid_api_key');
    const finding = deps.keys.findByHash(presented.hash);
    start(event, context.api, presented.hash);
    const key = (await finding) ?? null;
    context.api.key = key;
    context.api.caller = callerOf(contract, event, key, deps.now());
  },
});
