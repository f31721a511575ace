import { result, retryAfter, serialise } from '#shared/api/http/answer.ts';
import { findKeyAuthor } from '#shared/api/http/key-author.ts';
import { middlewareChain } from '#shared/api/http/middleware-chain.ts';
import { readServerUrl } from '#shared/api/http/server-address.ts';
import type {
  ApiDeps,
  ApiEvent,
  ApiHandler,
  ApiMiddleware,
  ApiRequest,
  ApiResult,
  Reply,
  RequestState,
} from '#shared/api/http/types.ts';
import { admission } from '#shared/api/middlewares/admission.ts';
import { admit } from '#shared/api/middlewares/admit.ts';
import { admitMember, confirmField } from '#shared/api/middlewares/admit-member.ts';
import { errorTable } from '#shared/api/middlewares/error-table.ts';
import { idempotency, makeCommit, replay, unlessReplayed } from '#shared/api/middlewares/idempotency.ts';
import { noteUse } from '#shared/api/middlewares/note-use.ts';
import { readBody } from '#shared/api/middlewares/read-body.ts';
import { recordAction } from '#shared/api/middlewares/record-action.ts';
import { requestContext } from '#shared/api/middlewares/request-context.ts';
import { securityHeaders } from '#shared/api/middlewares/security-headers.ts';
import { validate } from '#shared/api/middlewares/validate.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { Answered } from '#shared/platform/requests/ports.ts';

/** Lists the ids for the log: what the request created, and the ids of its path unless it only reads. */
const listChangedIds = ({ method }: Contract, params: unknown, { created = [] }: Reply): readonly string[] => [
  ...(method === 'GET' ? [] : Object.values(params ?? {}).map(String)),
  ...created,
];

/**
 * Checks whether the gateway chose a route of the dashboard. A route of the dashboard reads the session cookie and no API key; a route under
 * `/api/v1` reads the key and no cookie. The function looks at the chosen route and not at the path: HTTP APIs decode the path, so that it may look
 * like the path of another route.
 */
const isForSessions = ({ routeKey }: ApiEvent): boolean => routeKey.includes(' /api/dashboard/');

/**
 * Makes the handler of an endpoint: it checks the contract, then runs `work`. Middlewares throw, and the error table answers. The contract
 * says which routes the handler serves: one under `/api/v1` if API keys may call it (`keys`), one under `/api/dashboard` if a session may
 * (`session`).
 */
export const api = <C extends Contract>(
  contract: C,
  deps: ApiDeps,
  work: (request: ApiRequest<C>) => Promise<Reply | Answered>,
): ApiHandler => {
  const handle = async (event: ApiEvent, state: RequestState<C>): Promise<ApiResult> => {
    if (state.replayed) return replay(state.replayed);
    const { input, requestId, keyed, admission: { caller, author } = {} } = state;
    if (!caller || !input) throw new Error('The request was not authenticated and validated.');
    state.hasBegun = true;
    const commit = makeCommit(contract, deps, state);
    const by = author ?? findKeyAuthor(contract, event, caller);
    const reply = await work({
      ...input,
      caller,
      author,
      by,
      requestId,
      serverUrl: readServerUrl(event),
      keyed,
      commit,
    });
    if ('answer' in reply) return replay(reply.answer);
    state.changedIds = listChangedIds(contract, input.params, reply);
    const { type } = contract.success;
    return result(reply.rendered ?? serialise(contract, reply), {
      ...retryAfter(reply.retryAfterSeconds),
      ...(type !== undefined && { 'content-type': `${type}; charset=utf-8` }),
      ...reply.headers,
    });
  };
  // Middy runs `onError` from the last to the first, so middlewares that add headers to error answers stand before the error table.
  const checks = (authentication: ApiMiddleware<C>): ApiMiddleware<C>[] => [
    requestContext(deps),
    securityHeaders(),
    authentication,
    noteUse(deps),
    errorTable(),
    readBody(contract),
    idempotency(deps),
    unlessReplayed(validate(contract)),
  ];
  const forKeys = middlewareChain(deps, checks(admission(deps, admit(contract, deps))), handle);
  const membersChecks = [confirmField(contract, deps), recordAction(contract, deps)].map(unlessReplayed);
  const forSessions = middlewareChain(
    deps,
    [...checks(admission(deps, admitMember(contract, deps))), ...membersChecks],
    handle,
  );
  return (event, context) => (isForSessions(event) ? forSessions : forKeys)(event, context);
};
