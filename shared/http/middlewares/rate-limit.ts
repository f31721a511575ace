import type { Contract } from '#shared/contract/kernel/contract.ts';
import { KeyRefusal } from '#shared/domain/kernel/errors.ts';
import {
  type Allowance,
  allowancesOf,
  isOver,
  rateLimitHeaders,
  secondsLeft,
  type Used,
} from '#shared/domain/requests/rate-limit.ts';
import { setHeaders } from '#shared/http/kernel/answer.ts';
import type { ApiDeps, ApiEvent, ApiMiddleware, StackRequest } from '#shared/http/kernel/types.ts';
import type { AdmittedKeys } from './admitted-keys.ts';
import { type PresentedKey, presentedKey } from './presented-key.ts';

type Deps = Pick<ApiDeps, 'countRequest' | 'rateLimits' | 'now'>;

/** The allowances that a request is charged to, in this order. */
export const allowancesFor = (
  { rateLimits }: Pick<Deps, 'rateLimits'>,
  contract: Contract,
  event: ApiEvent,
  { hash, kind, mode }: PresentedKey,
): readonly Allowance[] =>
  allowancesOf(rateLimits, {
    keyHash: hash,
    kind,
    mode,
    ownAllowance: contract.ownAllowance ?? false,
    sourceIp: event.requestContext.http.sourceIp,
  });

/** Counts a request against its allowances until one is used up; those that follow are not charged. */
const count = async (
  deps: Deps,
  contract: Contract,
  { event }: StackRequest,
  key: PresentedKey,
): Promise<readonly Used[]> => {
  const used: Used[] = [];
  for (const allowance of allowancesFor(deps, contract, event, key)) {
    const one = await deps.countRequest(allowance, deps.now());
    used.push(one);
    if (isOver(one)) break;
  }
  return used;
};

const addRateHeaders = async (deps: Deps, request: StackRequest): Promise<void> => {
  // A key that is not accepted is not shown its counts.
  const { caller } = request.context.api;
  if (!caller) return;
  const used = (await request.context.api.used) ?? [];
  // What is left of a public key shows its merchant's traffic, and anybody can read that key in a page: such a caller sees its address's count alone.
  const shown = used.filter(({ allowance }) => caller.kind === 'secret' || allowance.name === 'address');
  setHeaders(request, rateLimitHeaders(shown, deps.now()));
};

/**
 * Counts requests and refuses what is over its allowance (api-decisions.md sections 1 and 2), in two middlewares: `count` comes before
 * the key's look-up, `limit` after all checks of who calls.
 *
 * A key that this container has admitted before is counted while it is looked up, which costs no further round trip. Any other is
 * counted once it is admitted, so that keys that were never issued cost no write. A key with a whitelist is always counted after
 * admission, and one that is refused is forgotten: a stranger who has stolen it must not use up its quota.
 */
export const rateLimit = (
  contract: Contract,
  deps: Deps,
  admitted: AdmittedKeys,
): { count: ApiMiddleware; limit: ApiMiddleware } => ({
  count: {
    before: (request) => {
      const key = presentedKey(request.event);
      if (key && admitted.tenantOf(key.hash)) request.context.api.used = count(deps, contract, request, key);
    },
    after: (request) => addRateHeaders(deps, request),
    onError: (request) => {
      const { key, isAdmitted } = request.context.api;
      // It got a whitelist, was revoked or suspended since. Forgotten, it no longer uses up its quota.
      if (key && !isAdmitted) admitted.forget(key.hash);
      return addRateHeaders(deps, request);
    },
  },
  limit: {
    before: async (request) => {
      const { api } = request.context;
      if (!api.key) throw new Error('The request was not authenticated.');
      api.isAdmitted = true;
      api.used ??= count(deps, contract, request, api.key);
      const used = await api.used;
      if (used.some(isOver)) {
        // What it goes on sending is refused at the least cost: nothing begins beside its look-up.
        admitted.forget(api.key.hash);
        throw new KeyRefusal('rate_limited', { retryAfterSeconds: secondsLeft(deps.now()) });
      }
      admitted.add(api.key);
    },
  },
});
