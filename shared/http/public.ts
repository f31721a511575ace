import { result } from '#shared/http/kernel/answer.ts';
import { stack } from '#shared/http/kernel/stack.ts';
import type { ApiEvent, PublicDeps, Reply } from '#shared/http/kernel/types.ts';
import { errorTable } from '#shared/http/middlewares/error-table.ts';
import { requestContext } from '#shared/http/middlewares/request-context.ts';
import { securityHeaders } from '#shared/http/middlewares/security-headers.ts';

/** A route that needs no key: request id and log, security headers, the error table. */
export const publicApi = (deps: PublicDeps, work: (event: ApiEvent) => Promise<Reply>) =>
  stack(deps, [requestContext(deps), securityHeaders(), errorTable()], async (event) => {
    const { status, body } = await work(event);
    return result({ status, body: JSON.stringify(body) });
  });
