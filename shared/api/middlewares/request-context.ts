import { OffContract, setHeaders } from '#shared/api/http/answer.ts';
import type { ApiMiddleware, ChainDeps, ChainRequest, RequestState } from '#shared/api/http/types.ts';
import { errorBody } from '#shared/platform/contract/errors.ts';
import { ApiError, KeyError } from '#shared/platform/kernel/errors.ts';
import type { Log, LogFields } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';

const LOWEST_ERROR = 400;
const LOWEST_FAILURE = 500;

/** Reads the error code of the answer; undefined for a success. */
const readErrorCode = ({ response }: ChainRequest): string | undefined =>
  response && response.statusCode >= LOWEST_ERROR && response.headers['content-type']?.startsWith('application/json')
    ? errorBody.safeParse(JSON.parse(response.body)).data?.code
    : undefined;

/** Reads the address that API Gateway saw, never one from a header. */
const readSourceIp = ({ event }: ChainRequest): string => event.requestContext.http.sourceIp;

/** Identifies the key, even a revoked one: a thief may keep trying it. */
const keyFields = ({ admission: { key, caller, session } = {} }: RequestState): LogFields => ({
  business_id: key?.businessId ?? caller?.businessId,
  key_id: key?.id,
  key_kind: key?.kind,
  mode: key?.mode ?? caller?.mode,
  user_id: session?.userId,
});

/**
 * Counts the 5xx answers that alarms watch. `provider_busy` is counted apart, because it is nobody's failure if a merchant is too fast for a
 * provider. An error that somebody asked the sandbox for is not counted, because it must raise no alarm.
 */
const countFailure = (metrics: Metrics, { status, code, mode }: LogFields): void => {
  if (typeof status !== 'number' || status < LOWEST_FAILURE) return;
  if (code === 'provider_error' && mode === 'test') return;
  metrics(code === 'provider_busy' ? 'provider_busy' : 'requests_failed', 1);
};

const finish = (request: ChainRequest, deps: ChainDeps): void => {
  const { api } = request.context;
  setHeaders(request, { 'x-request-id': api.requestId, 'cache-control': 'no-store' });
  const answered: LogFields = {
    request_id: api.requestId,
    route: request.event.routeKey,
    status: request.response?.statusCode,
    code: readErrorCode(request),
    milliseconds: deps.now() - api.startedAt,
    source_ip: readSourceIp(request),
    ...keyFields(api),
    changed_ids: api.changedIds?.join(' ') || undefined,
  };
  deps.log('request_answered', answered);
  countFailure(deps.metrics, answered);
};

/**
 * Logs a request with a secret key that was refused because of its IP address or a rate limit. An alarm counts the businesses that these entries
 * name in live mode.
 */
const logKeyError = (log: Log, request: ChainRequest): void => {
  const { error, context } = request;
  if (context.api.admission?.key?.kind !== 'secret' || !(error instanceof KeyError)) return;
  const about = { request_id: context.api.requestId, code: error.code, source_ip: readSourceIp(request) };
  log('secret_key_refused', { ...about, ...keyFields(context.api) });
};

const logFault = (log: Log, { context, error }: ChainRequest): void => {
  const about = { request_id: context.api.requestId };
  if (error instanceof OffContract) log('answer_off_contract', { ...about, fields: error.fields }, error);
  else if (!(error instanceof ApiError)) log('request_failed', about, error);
};

/**
 * Makes the middleware that logs the outcome of a request and sets `x-request-id`. It stands first in a chain, so that it ends last; only
 * `cachedFor` may stand before it.
 */
export const requestContext = (deps: ChainDeps): ApiMiddleware => ({
  after: (request) => finish(request, deps),
  onError: (request) => {
    logFault(deps.log, request);
    logKeyError(deps.log, request);
    finish(request, deps);
  },
});
