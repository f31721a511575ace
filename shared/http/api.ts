import middy from '@middy/core';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import { serialise } from './answer.ts';
import { authenticate } from './middlewares/authenticate.ts';
import { checkMode } from './middlewares/check-mode.ts';
import { checkResponse } from './middlewares/check-response.ts';
import { checkSourceIp } from './middlewares/check-source-ip.ts';
import { errorTable } from './middlewares/error-table.ts';
import { idempotency, sealAnswer } from './middlewares/idempotency.ts';
import { countRequest, limitRate } from './middlewares/rate-limit.ts';
import { readBody } from './middlewares/read-body.ts';
import { requestContext } from './middlewares/request-context.ts';
import { securityHeaders } from './middlewares/security-headers.ts';
import { validate } from './middlewares/validate.ts';
import type { ApiContext, ApiDeps, ApiEvent, ApiRequest, ApiResult, Reply } from './types.ts';

/** Leaves the Lambda's last moments to an orderly 500 instead of the gateway's time-out. */
const TIMEOUT_EARLY_MS = 200;

/**
 * The one stack in front of every endpoint (architecture.md section 2). Middlewares throw; the error table answers.
 * Middy runs `onError` from the last attached to the first: what dresses error answers stands before the error table.
 */
export const api = <C extends Contract>(contract: C, deps: ApiDeps, work: (request: ApiRequest<C>) => Promise<Reply>) =>
  middy<ApiEvent, ApiResult, Error, ApiContext>({ timeoutEarlyInMillis: TIMEOUT_EARLY_MS })
    .use(requestContext(deps) as middy.MiddlewareObj<ApiEvent, ApiResult, Error, ApiContext>)
    .use(securityHeaders() as middy.MiddlewareObj<ApiEvent, ApiResult, Error, ApiContext>)
    .use(countRequest(contract, deps) as middy.MiddlewareObj<ApiEvent, ApiResult, Error, ApiContext>)
    .use([
      errorTable(),
      authenticate(contract, deps),
      checkSourceIp(),
      checkMode(contract),
      limitRate(deps),
      readBody(contract),
      validate(contract),
      checkResponse(contract),
      idempotency(contract, deps),
    ] as middy.MiddlewareObj<ApiEvent, ApiResult, Error, ApiContext>[])
    .handler(async (_event, { api: state }) => {
      const request = {
        caller: state.caller,
        requestId: state.requestId,
        params: state.params,
        query: state.query,
        body: state.body,
        claim: state.idempotency && { ...state.idempotency, requestId: state.requestId },
        seal: (reply: Reply) => state.idempotency && sealAnswer(state, serialise(contract, reply)),
      } as ApiRequest<C>;
      return (await work(request)) as unknown as ApiResult;
    });
