import { result } from '#shared/api/kernel/answer.ts';
import { stack } from '#shared/api/kernel/stack.ts';
import type { ApiEvent, PublicDeps, Reply } from '#shared/api/kernel/types.ts';
import { errorTable } from '#shared/api/middlewares/error-table.ts';
import { requestContext } from '#shared/api/middlewares/request-context.ts';
import { securityHeaders } from '#shared/api/middlewares/security-headers.ts';

/** A route that needs no key: request id and log, security headers, the error table. */
export const publicApi = (deps: PublicDeps, work: (event: ApiEvent) => Promise<Reply>) =>
  stack(deps, [requestContext(deps), securityHeaders(), errorTable()], async (event) => {
    const { status, body } = await work(event);
    return result({ status, body: JSON.stringify(body) });
  });
