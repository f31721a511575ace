import middy from '@middy/core';
import { result } from './answer.ts';
import { errorTable } from './middlewares/error-table.ts';
import { requestContext } from './middlewares/request-context.ts';
import { securityHeaders } from './middlewares/security-headers.ts';
import type { ApiContext, ApiDeps, ApiEvent, ApiResult, Reply } from './types.ts';

type Middleware = middy.MiddlewareObj<ApiEvent, ApiResult, Error, ApiContext>;

/** The stack of what needs no key: request id and log, security headers, the error table. */
export const publicApi = (deps: Pick<ApiDeps, 'now' | 'log'>, work: (event: ApiEvent) => Promise<Reply>) =>
  middy<ApiEvent, ApiResult, Error, ApiContext>()
    .use([requestContext(deps), securityHeaders(), errorTable()] as Middleware[])
    .handler(async (event) => {
      const { status, body } = await work(event);
      return result({ status, body: JSON.stringify(body) });
    });
