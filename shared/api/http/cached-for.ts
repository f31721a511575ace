import { setHeaders } from './answer.ts';
import type { ApiMiddleware } from './types.ts';

const CACHEABLE_STATUSES = [200, 304];

/**
 * Makes the middleware that lets clients and proxies cache a success. `caching`: the value of `cache-control`. The middleware must be the
 * first of its chain: Middy then runs its `after` last, so it replaces the `cache-control` that requestContext sets.
 */
export const cachedFor = (caching: string): ApiMiddleware => ({
  after: (request) => {
    if (CACHEABLE_STATUSES.includes(request.response?.statusCode ?? 0))
      setHeaders(request, { 'cache-control': caching });
  },
});
