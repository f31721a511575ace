import type { Contract } from '#shared/contract/kernel/contract.ts';
import { result, retryAfter, serialise } from '#shared/http/kernel/answer.ts';
import { keyAuthorOf } from '#shared/http/kernel/key-author.ts';
import { serverOf } from '#shared/http/kernel/server-address.ts';
import { stack } from '#shared/http/kernel/stack.ts';
import type {
  ApiDeps,
  ApiEvent,
  ApiHandler,
  ApiMiddleware,
  ApiRequest,
  ApiResult,
  Reply,
  RequestState,
} from '#shared/http/kernel/types.ts';
import { admitMember, confirmField } from '#shared/http/middlewares/admit-member.ts';
import { type AdmittedKeys, admittedKeys } from '#shared/http/middlewares/admitted-keys.ts';
import { authenticate } from '#shared/http/middlewares/authenticate.ts';
import { checkMode } from '#shared/http/middlewares/check-mode.ts';
import { checkSourceIp } from '#shared/http/middlewares/check-source-ip.ts';
import { errorTable } from '#shared/http/middlewares/error-table.ts';
import { idempotency, readRecord, sealAnswer } from '#shared/http/middlewares/idempotency.ts';
import { limitMember } from '#shared/http/middlewares/limit-member.ts';
import { rateLimit } from '#shared/http/middlewares/rate-limit.ts';
import { type FirstRead, NOTHING_AHEAD, type ReadAhead, readAhead } from '#shared/http/middlewares/read-ahead.ts';
import { readBody } from '#shared/http/middlewares/read-body.ts';
import { readSession } from '#shared/http/middlewares/read-session.ts';
import { recordAction } from '#shared/http/middlewares/record-action.ts';
import { refuseAgain } from '#shared/http/middlewares/refuse-again.ts';
import { requestContext } from '#shared/http/middlewares/request-context.ts';
import { sameOrigin } from '#shared/http/middlewares/same-origin.ts';
import { securityHeaders } from '#shared/http/middlewares/security-headers.ts';
import { validate } from '#shared/http/middlewares/validate.ts';

/** The ids of what a request has created or changed: new ones, and those of its path unless it only reads. */
const changedIdsOf = ({ method }: Contract, params: unknown, { created = [] }: Reply): readonly string[] => [
  ...(method === 'GET' ? [] : Object.values(params ?? {}).map(String)),
  ...created,
];

/**
 * Whether the gateway chose a route of sessions: a key is never read there, and a cookie never under `/api/v1`. The route decides, since
 * HTTP APIs decode a path before functions see it.
 */
const isForSessions = ({ routeKey }: ApiEvent): boolean => routeKey.includes(' /api/dashboard/');

const recordBesideCount = (contract: Contract, deps: ApiDeps): ApiMiddleware => ({
  before: ({ event, context: { api } }) => {
    if (api.caller) api.record = readRecord(contract, deps, event, api.caller);
  },
});

/** What comes before an endpoint for a request with a key. What adds headers to error answers comes before the error table, as `onError` runs from the last to the first. */
const forKeys = <C extends Contract>(
  contract: C,
  deps: ApiDeps,
  admitted: AdmittedKeys,
  ahead: ReadAhead<C, unknown>,
): ApiMiddleware<C>[] => {
  const rate = rateLimit(contract, deps, admitted);
  return [
    requestContext(deps),
    securityHeaders(),
    refuseAgain(contract, deps),
    rate.count,
    errorTable(),
    authenticate(contract, deps, ahead),
    checkSourceIp(),
    checkMode(contract),
    recordBesideCount(contract, deps),
    rate.limit,
  ];
};

/** The same for a request of the dashboard. */
const forSessions = <C extends Contract>(contract: C, deps: ApiDeps): ApiMiddleware<C>[] => [
  requestContext(deps),
  securityHeaders(),
  errorTable(),
  sameOrigin(),
  readSession(deps),
  admitMember(contract, deps),
  checkMode(contract),
  recordBesideCount(contract, deps),
  limitMember(deps),
];

/** The work of an endpoint whose first read may be made ahead: `read` gives what it found, and reads again when it is called again. */
type WorkOnRead<C extends Contract, R> = (
  request: ApiRequest<C> & { readonly read: () => Promise<R> },
) => Promise<Reply>;

const endpoint = <C extends Contract, R>(
  contract: C,
  deps: ApiDeps,
  admitted: AdmittedKeys,
  ahead: ReadAhead<C, R>,
  work: WorkOnRead<C, R>,
): ApiHandler => {
  const handle = async (event: ApiEvent, state: RequestState<C>): Promise<ApiResult> => {
    const { caller, author, input, requestId, keyed } = state;
    if (!caller || !input) throw new Error('The request was not authenticated and validated.');
    state.hasBegun = true;
    const seal = (reply: Reply) => sealAnswer(state, serialise(contract, reply));
    const read = () => ahead.take(state, caller, input);
    const by = author ?? keyAuthorOf(contract, event, caller);
    const reply = await work({ ...input, caller, author, by, requestId, server: serverOf(event), keyed, seal, read });
    state.changedIds = changedIdsOf(contract, input.params, reply);
    const { type } = contract.success;
    return result(serialise(contract, reply), {
      ...retryAfter(reply.retryAfterSeconds),
      ...(type !== undefined && { 'content-type': `${type}; charset=utf-8` }),
      ...reply.headers,
    });
  };
  const withInput = [readBody(contract), idempotency(deps), validate(contract)];
  const byKey = stack(deps, [...forKeys(contract, deps, admitted, ahead), ...withInput], handle);
  const bySession = stack(
    deps,
    [...forSessions(contract, deps), ...withInput, confirmField(contract, deps), recordAction(contract, deps)],
    handle,
  );
  return (event, context) => (isForSessions(event) ? bySession : byKey)(event, context);
};

/**
 * An endpoint (architecture.md section 2): every check of its contract, then `work`. Middlewares throw and the error table answers.
 * A key calls it under its own path, a session under the dashboard's (decisions/0031-dashboard-sessions.md).
 */
export const api = <C extends Contract>(
  contract: C,
  deps: ApiDeps,
  work: (request: ApiRequest<C>) => Promise<Reply>,
): ApiHandler => endpoint(contract, deps, admittedKeys(), NOTHING_AHEAD, work);

/** The same for one that names what it reads `first`, which a warm container reads together with the caller's key (decisions/0034-read-ahead.md). */
export const apiReading = <C extends Contract, R>(
  contract: C,
  deps: ApiDeps,
  first: FirstRead<C, R>,
  work: WorkOnRead<C, R>,
): ApiHandler => {
  const admitted = admittedKeys();
  return endpoint(contract, deps, admitted, readAhead(contract, admitted, first), work);
};

/** A port's reader for an endpoint that reads ahead: its first read answers for the one name, the last argument; any other is read as ever. */
export const firstReadOf =
  <Given extends readonly unknown[], R>(
    name: string,
    first: () => Promise<R>,
    reader: (...given: Given) => Promise<R>,
  ): ((...given: Given) => Promise<R>) =>
  (...given) =>
    given.at(-1) === name ? first() : reader(...given);
