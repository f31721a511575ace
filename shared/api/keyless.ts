import { result } from '#shared/api/http/answer.ts';
import { middlewareChain } from '#shared/api/http/middleware-chain.ts';
import type { ApiEvent, ChainDeps, Reply } from '#shared/api/http/types.ts';
import { errorTable } from '#shared/api/middlewares/error-table.ts';
import { requestContext } from '#shared/api/middlewares/request-context.ts';
import { securityHeaders } from '#shared/api/middlewares/security-headers.ts';

/** Makes a route that needs no key: it has a request id, the log, security headers and the error table. */
export const keylessApi = (deps: ChainDeps, work: (event: ApiEvent) => Promise<Reply>) =>
  middlewareChain(deps, [requestContext(deps), securityHeaders(), errorTable()], async (event) => {
    const { status, body } = await work(event);
    return result({ status, body: JSON.stringify(body) });
  });
