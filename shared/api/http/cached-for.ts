import { setHeaders } from './answer.ts';
import type { ApiMiddleware } from './types.ts';

const CACHED = [200, 304];

/** Lets others keep a success. It comes first, so that its `after` runs last and replaces the `cache-control` of requestContext. */
export const cachedFor = (caching: string): ApiMiddleware => ({
  after: (request) => {
    if (CACHED.includes(request.response?.statusCode ?? 0)) setHeaders(request, { 'cache-control': caching });
  },
});
