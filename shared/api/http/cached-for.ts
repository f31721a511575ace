import { setHeaders } from './answer.ts';
import type { ApiMiddleware } from './types.ts';

const CACHED = [200, 304];

/** Lets clients and proxies cache a success. It comes first, so its `after` runs last and replaces the `cache-control` of requestContext. */
export const cachedFor = (caching: string): ApiMiddleware => ({
  after: (request) => {
    if (CACHED.includes(request.response?.statusCode ?? 0)) setHeaders(request, { 'cache-control': caching });
  },
});
