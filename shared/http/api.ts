import type { Contract } from '#shared/contract/kernel/contract.ts';
import { result, retryAfter, serialise } from '#shared/http/kernel/answer.ts';
import { serverOf } from '#shared/http/kernel/server-address.ts';
import { stack } from '#shared/http/kernel/stack.ts';
import type { ApiDeps, ApiMiddleware, ApiRequest, Reply } from '#shared/http/kernel/types.ts';
import { authenticate } from '#shared/http/middlewares/authenticate.ts';
import { checkMode } from '#shared/http/middlewares/check-mode.ts';
import { checkSourceIp } from '#shared/http/middlewares/check-source-ip.ts';
import { errorTable } from '#shared/http/middlewares/error-table.ts';
import { idempotency, sealAnswer } from '#shared/http/middlewares/idempotency.ts';
import { rateLimit } from '#shared/http/middlewares/rate-limit.ts';
import { readBody } from '#shared/http/middlewares/read-body.ts';
import { refuseAgain } from '#shared/http/middlewares/refuse-again.ts';
import { requestContext } from '#shared/http/middlewares/request-context.ts';
import { securityHeaders } from '#shared/http/middlewares/security-headers.ts';
import { validate } from '#shared/http/middlewares/validate.ts';

/** The ids of what a request has created or changed: new ones, and those of its path unless it only reads. */
const changedIdsOf = ({ method }: Contract, params: unknown, { created = [] }: Reply): readonly string[] => [
  ...(method === 'GET' ? [] : Object.values(params ?? {}).map(String)),
  ...created,
];

/**
 * An endpoint (architecture.md section 2): every check of its contract, then `work`. Middlewares throw and the error table
 * answers; what adds headers to error answers comes before the error table, as `onError` runs from the last to the first.
 */
export const api = <C extends Contract>(
  contract: C,
  deps: ApiDeps,
  work: (request: ApiRequest<C>) => Promise<Reply>,
) => {
  const rate = rateLimit(contract, deps);
  const middlewares: ApiMiddleware<C>[] = [
    requestContext(deps),
    securityHeaders(),
    refuseAgain(contract, deps),
    rate.count,
    errorTable(),
    authenticate(contract, deps),
    checkSourceIp(),
    checkMode(contract),
    rate.limit,
    readBody(contract),
    validate(contract),
    idempotency(contract, deps),
  ];
  return stack(deps, middlewares, async (event, state) => {
    const { caller, input, requestId } = state;
    if (!caller || !input) throw new Error('The request was not authenticated and validated.');
    const claim = state.idempotency && { ...state.idempotency, requestId };
    const seal = (reply: Reply) => sealAnswer(state, serialise(contract, reply));
    const reply = await work({ ...input, caller, requestId, server: serverOf(event), claim, seal });
    state.changedIds = changedIdsOf(contract, input.params, reply);
    const { type } = contract.success;
    return result(serialise(contract, reply), {
      ...retryAfter(reply.retryAfterSeconds),
      ...(type !== undefined && { 'content-type': `${type}; charset=utf-8` }),
      ...reply.headers,
    });
  });
};
