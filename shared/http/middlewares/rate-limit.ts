import type { Contract } from '#shared/contract/kernel/contract.ts';
import { hashKey, isWellFormedKey, kindAndModeOf } from '#shared/domain/businesses/api-key.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { allowancesOf, isOver, rateLimitHeaders, secondsLeft, type Used } from '#shared/domain/requests/rate-limit.ts';
import type { ApiDeps, ApiMiddleware, ApiResult, MiddyRequest } from '#shared/http/types.ts';
import { presentedKey } from './presented-key.ts';

type Deps = Pick<ApiDeps, 'countRequest' | 'rateLimits' | 'now'>;

const count = async (deps: Deps, contract: Contract, { event }: MiddyRequest): Promise<Used[]> => {
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

const dress = async (deps: Deps, request: MiddyRequest): Promise<void> => {
  const response = request.response as ApiResult;
  // A key that did not open the door learns nothing of a count.
  if (!request.context.api.caller) return;
  response.headers = { ...response.headers, ...rateLimitHeaders((await request.context.api.used) ?? [], deps.now()) };
};

/**
 * Counts a request (api.md section 1) while its key is looked up, so that it costs no further round trip, and tells every
 * caller how much is left. A count that does not come in time limits nothing.
 */
export const countRequest = (contract: Contract, deps: Deps): ApiMiddleware => ({
  before: (request) => {
    request.context.api.used = count(deps, contract, request);
  },
  after: (request) => dress(deps, request),
  onError: (request) => dress(deps, request),
});

/** Refuses what is over its allowance, in its place in the order of api.md section 2. */
export const limitRate = (deps: Pick<ApiDeps, 'now'>): ApiMiddleware => ({
  before: async ({ context }) => {
    const used = (await context.api.used) ?? [];
    if (used.some(isOver)) throw new Refusal('rate_limited', { retryAfterSeconds: secondsLeft(deps.now()) });
  },
});
