import { Refusal } from '#shared/domain/kernel/errors.ts';
import { AnsweredBefore } from '#shared/domain/requests/idempotency.ts';
import { OffContract } from '#shared/http/answer.ts';
import type { ApiDeps, ApiMiddleware, ApiResult, MiddyRequest } from '#shared/http/types.ts';
import type { Log } from '#shared/observability/log.ts';

const finish = (request: MiddyRequest, deps: Pick<ApiDeps, 'now' | 'log'>): void => {
  const { api } = request.context;
  const response = request.response as ApiResult;
  response.headers = { ...response.headers, 'x-request-id': api.requestId, 'cache-control': 'no-store' };
  deps.log('request_answered', {
    request_id: api.requestId,
    route: request.event.routeKey,
    status: response.statusCode,
    milliseconds: deps.now() - api.startedAt,
    business_id: api.caller?.businessId,
    key_id: api.caller?.keyId,
    mode: api.caller?.mode,
  });
};

const logFault = (log: Log, { context, error }: MiddyRequest): void => {
  const about = { request_id: context.api.requestId };
  if (error instanceof OffContract) log('answer_off_contract', { ...about, fields: error.fields }, error);
  else if (!(error instanceof Refusal) && !(error instanceof AnsweredBefore)) log('request_failed', about, error);
};

/** First of all: names the request, and at the end says in the log and in `x-request-id` what became of it. */
export const requestContext = (deps: Pick<ApiDeps, 'now' | 'log'>): ApiMiddleware => ({
  before: (request) => {
    request.context.api = { startedAt: deps.now(), requestId: request.event.requestContext.requestId };
  },
  after: (request) => finish(request, deps),
  onError: (request) => {
    logFault(deps.log, request);
    finish(request, deps);
  },
});
