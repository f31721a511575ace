import { Refusal } from '#shared/domain/kernel/errors.ts';
import { AnsweredBefore } from '#shared/domain/requests/idempotency.ts';
import { OffContract, setHeaders } from '#shared/http/kernel/answer.ts';
import type { ApiMiddleware, PublicDeps, StackRequest } from '#shared/http/kernel/types.ts';
import type { Log } from '#shared/observability/log.ts';

const finish = (request: StackRequest, deps: PublicDeps): void => {
  const { api } = request.context;
  setHeaders(request, { 'x-request-id': api.requestId, 'cache-control': 'no-store' });
  deps.log('request_answered', {
    request_id: api.requestId,
    route: request.event.routeKey,
    status: request.response?.statusCode,
    milliseconds: deps.now() - api.startedAt,
    business_id: api.caller?.businessId,
    key_id: api.caller?.keyId,
    mode: api.caller?.mode,
  });
};

const logFault = (log: Log, { context, error }: StackRequest): void => {
  const about = { request_id: context.api.requestId };
  if (error instanceof OffContract) log('answer_off_contract', { ...about, fields: error.fields }, error);
  else if (!(error instanceof Refusal) && !(error instanceof AnsweredBefore)) log('request_failed', about, error);
};

/** Comes first, so that it ends last: logs the request's outcome and sets `x-request-id`. */
export const requestContext = (deps: PublicDeps): ApiMiddleware => ({
  after: (request) => finish(request, deps),
  onError: (request) => {
    logFault(deps.log, request);
    finish(request, deps);
  },
});
