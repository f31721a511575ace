import type { Contract } from '#shared/contract/kernel/contract.ts';
import { hashKey, isWellFormedKey, kindAndModeOf } from '#shared/domain/businesses/api-key.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { allowancesOf, isOver, rateLimitHeaders, secondsLeft, type Used } from '#shared/domain/requests/rate-limit.ts';
import { setHeaders } from '#shared/http/kernel/answer.ts';
import type { ApiDeps, ApiMiddleware, StackRequest } from '#shared/http/kernel/types.ts';
import { presentedKey } from './presented-key.ts';

type Deps = Pick<ApiDeps, 'countRequest' | 'rateLimits' | 'now'>;

const count = async (deps: Deps, contract: Contract, { event }: StackRequest): Promise<Used[]> => {
  const key = presentedKey(event);
  if (key === undefined || !isWellFormedKey(key)) return [];
  const allowances = allowancesOf(deps.rateLimits, {
    ...kindAndModeOf(key),
    keyHash: hashKey(key),
    ownAllowance: contract.ownAllowance ?? false,
    sourceIp: event.requestContext.http.sourceIp,
  });
  const counts = await Promise.all(allowances.map(({ bucket }) => deps.countRequest(bucket, deps.now())));
  return allowances.flatMap((allowance, i) => {
    const counted = counts[i];
    return counted === undefined ? [] : [{ allowance, count: counted }];
  });
};

const addRateHeaders = async (deps: Deps, request: StackRequest): Promise<void> => {
  // A key that is not accepted is not shown its counts.
  if (!request.context.api.caller) return;
  setHeaders(request, rateLimitHeaders((await request.context.api.used) ?? [], deps.now()));
};

/**
 * Counts a request (api-decisions.md section 1) while its key is looked up, so that it costs no further round trip, and shows every
 * caller how much is left. A count that is not there in time limits nothing.
 */
export const countRequest = (contract: Contract, deps: Deps): ApiMiddleware => ({
  before: (request) => {
    request.context.api.used = count(deps, contract, request);
  },
  after: (request) => addRateHeaders(deps, request),
  onError: (request) => addRateHeaders(deps, request),
});

/** Refuses what is over its allowance, in its place in the order of api-decisions.md section 2. */
export const limitRate = (deps: Pick<ApiDeps, 'now'>): ApiMiddleware => ({
  before: async ({ context }) => {
    const used = (await context.api.used) ?? [];
    if (used.some(isOver)) throw new Refusal('rate_limited', { retryAfterSeconds: secondsLeft(deps.now()) });
  },
});
