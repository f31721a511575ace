import type { Contract } from '#shared/contract/kernel/contract.ts';
import { hashKey, isWellFormedKey, kindAndModeOf } from '#shared/domain/businesses/api-key.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { allowancesOf, isOver, rateLimitHeaders, secondsLeft, type Used } from '#shared/domain/requests/rate-limit.ts';
import { setHeaders } from '#shared/http/kernel/answer.ts';
import type { ApiDeps, ApiMiddleware, StackRequest } from '#shared/http/kernel/types.ts';
import { presentedKey } from './presented-key.ts';

type Deps = Pick<ApiDeps, 'countRequest' | 'rateLimits' | 'now'>;

/** How many keys a container remembers. */
const MAX_REMEMBERED = 1_000;

/** Keys that this container has admitted lately, by their hashes. */
const recentKeys = () => {
  const hashes = new Set<string>();
  return {
    has: (hash: string): boolean => hashes.has(hash),
    add: (hash: string): void => {
      if (hashes.size >= MAX_REMEMBERED) hashes.clear();
      hashes.add(hash);
    },
  };
};

const hashOf = ({ event }: StackRequest): string | undefined => {
  const key = presentedKey(event);
  return key !== undefined && isWellFormedKey(key) ? hashKey(key) : undefined;
};

/** Counts a request against its allowances until one is used up; those that follow are not charged. */
const count = async (deps: Deps, contract: Contract, { event }: StackRequest): Promise<readonly Used[]> => {
  const key = presentedKey(event) ?? '';
  const allowances = allowancesOf(deps.rateLimits, {
    ...kindAndModeOf(key),
    keyHash: hashKey(key),
    ownAllowance: contract.ownAllowance ?? false,
    sourceIp: event.requestContext.http.sourceIp,
  });
  const used: Used[] = [];
  for (const allowance of allowances) {
    const one = await deps.countRequest(allowance, deps.now());
    used.push(one);
    if (isOver(one)) break;
  }
  return used;
};

const addRateHeaders = async (deps: Deps, request: StackRequest): Promise<void> => {
  // A key that is not accepted is not shown its counts.
  if (!request.context.api.caller) return;
  setHeaders(request, rateLimitHeaders((await request.context.api.used) ?? [], deps.now()));
};

/**
 * Counts requests and refuses what is over its allowance (api-decisions.md sections 1 and 2), in two middlewares: `count` comes before
 * the key's look-up, `limit` after all checks of who calls.
 *
 * A key that this container has admitted before is counted while it is looked up, which costs no further round trip. Any other is
 * counted once it is admitted, so that keys that were never issued cost no write. A key with a whitelist is always counted then: a
 * stranger who has stolen it must not use up its quota.
 */
export const rateLimit = (contract: Contract, deps: Deps): { count: ApiMiddleware; limit: ApiMiddleware } => {
  const admitted = recentKeys();
  return {
    count: {
      before: (request) => {
        if (admitted.has(hashOf(request) ?? '')) request.context.api.used = count(deps, contract, request);
      },
      after: (request) => addRateHeaders(deps, request),
      onError: (request) => addRateHeaders(deps, request),
    },
    limit: {
      before: async (request) => {
        const { api } = request.context;
        api.used ??= count(deps, contract, request);
        const used = await api.used;
        if (api.key?.ipWhitelist.length === 0) admitted.add(hashOf(request) ?? '');
        if (used.some(isOver)) throw new Refusal('rate_limited', { retryAfterSeconds: secondsLeft(deps.now()) });
      },
    },
  };
};
