import { result, retryAfter, serialise } from '#shared/api/http/answer.ts';
import { middlewareChain } from '#shared/api/http/middleware-chain.ts';
import { readServerUrl } from '#shared/api/http/server-address.ts';
import type { ApiEvent, ApiHandler, ApiInput, ChainDeps, Reply } from '#shared/api/http/types.ts';
import { type Admit, admission } from '#shared/api/middlewares/admission.ts';
import { admitSession, admitVisitor } from '#shared/api/middlewares/admit-session.ts';
import { errorTable } from '#shared/api/middlewares/error-table.ts';
import { readBody } from '#shared/api/middlewares/read-body.ts';
import { requestContext } from '#shared/api/middlewares/request-context.ts';
import { securityHeaders } from '#shared/api/middlewares/security-headers.ts';
import { validate } from '#shared/api/middlewares/validate.ts';
import { browserName } from '#shared/members/domain/browser-name.ts';
import type { Session } from '#shared/members/domain/session.ts';
import type { RequestOrigin, SessionReader, Site } from '#shared/members/ports.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { addressBlock } from '#shared/platform/requests/address-block.ts';

/** Reads which browser sent a request, and from which address. */
const readRequestOrigin = ({ requestContext: { http } }: ApiEvent): RequestOrigin => ({
  browser: browserName(http.userAgent),
  address: http.sourceIp,
  addressBlock: addressBlock(http.sourceIp),
});

/** Reads the address at which the browser sees the dashboard. */
const readSite = (event: ApiEvent): Site => {
  const origin = readServerUrl(event);
  return { origin, host: URL.parse(origin)?.hostname ?? '' };
};

/** The request that a handler of a dashboard route gets. */
export interface DashboardRequest<C extends Contract> extends ApiInput<C> {
  readonly event: ApiEvent;
  readonly requestOrigin: RequestOrigin;
  readonly site: Site;
}

const dashboardChain = <C extends Contract>(
  contract: C,
  deps: ChainDeps,
  admit: Admit,
  work: (request: DashboardRequest<C>, session: Session | undefined) => Promise<Reply>,
): ApiHandler =>
  middlewareChain<C>(
    deps,
    [
      requestContext(deps),
      securityHeaders(),
      admission(deps, admit),
      errorTable(),
      readBody(contract),
      validate(contract),
    ],
    async (event, { input, admission: { session } = {} }) => {
      if (!input) throw new Error('The request was not validated.');
      const reply = await work(
        { ...input, event, requestOrigin: readRequestOrigin(event), site: readSite(event) },
        session,
      );
      const answer = result(serialise(contract, reply), { ...retryAfter(reply.retryAfterSeconds), ...reply.headers });
      return { ...answer, ...(reply.cookies && { cookies: [...reply.cookies] }) };
    },
  );

/** Makes a dashboard route for the sign-in, which needs no session. */
export const signInRoute = <C extends Contract>(
  contract: C,
  deps: ChainDeps,
  work: (request: DashboardRequest<C>) => Promise<Reply>,
): ApiHandler => dashboardChain(contract, deps, admitVisitor, work);

/** Makes a dashboard route that needs a session and concerns no business. */
export const sessionRoute = <C extends Contract>(
  contract: C,
  deps: ChainDeps & { readonly sessions: SessionReader },
  work: (request: DashboardRequest<C>, session: Session) => Promise<Reply>,
): ApiHandler =>
  dashboardChain(contract, deps, admitSession(deps), (request, session) => {
    if (!session) throw new Error('The session was not read.');
    return work(request, session);
  });
