import type { Contract } from '#shared/contract/kernel/contract.ts';
import { browserName } from '#shared/domain/members/browser-name.ts';
import type { Session } from '#shared/domain/members/session.ts';
import { addressBlock } from '#shared/domain/requests/address-block.ts';
import { result, retryAfter, serialise } from '#shared/http/kernel/answer.ts';
import { serverOf } from '#shared/http/kernel/server-address.ts';
import { stack } from '#shared/http/kernel/stack.ts';
import type { ApiEvent, ApiHandler, ApiInput, PublicDeps, Reply } from '#shared/http/kernel/types.ts';
import { type Admit, admission } from '#shared/http/middlewares/admission.ts';
import { admitSession, admitVisitor } from '#shared/http/middlewares/admit-session.ts';
import { errorTable } from '#shared/http/middlewares/error-table.ts';
import { readBody } from '#shared/http/middlewares/read-body.ts';
import { requestContext } from '#shared/http/middlewares/request-context.ts';
import { securityHeaders } from '#shared/http/middlewares/security-headers.ts';
import { validate } from '#shared/http/middlewares/validate.ts';
import type { AskedFrom, SessionReader, Site } from '#shared/ports/members.ts';

/** Which browser asks, and where it is, as its owner is shown it. */
const askedFrom = ({ requestContext: { http } }: ApiEvent): AskedFrom => ({
  browser: browserName(http.userAgent),
  address: http.sourceIp,
  addressBlock: addressBlock(http.sourceIp),
});

/** Where the browser sees the dashboard. */
const siteOf = (event: ApiEvent): Site => {
  const origin = serverOf(event);
  return { origin, host: URL.parse(origin)?.hostname ?? '' };
};

/** What a handler of the dashboard's own routes gets. */
export interface DashboardRequest<C extends Contract> extends ApiInput<C> {
  readonly event: ApiEvent;
  readonly from: AskedFrom;
  readonly site: Site;
}

const dashboardStack = <C extends Contract>(
  contract: C,
  deps: PublicDeps,
  admit: Admit,
  work: (request: DashboardRequest<C>, session: Session | undefined) => Promise<Reply>,
): ApiHandler =>
  stack<C>(
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
      const reply = await work({ ...input, event, from: askedFrom(event), site: siteOf(event) }, session);
      const answer = result(serialise(contract, reply), { ...retryAfter(reply.retryAfterSeconds), ...reply.headers });
      return { ...answer, ...(reply.cookies && { cookies: [...reply.cookies] }) };
    },
  );

/** A route of the dashboard that somebody calls who is not signed in yet. */
export const signInRoute = <C extends Contract>(
  contract: C,
  deps: PublicDeps,
  work: (request: DashboardRequest<C>) => Promise<Reply>,
): ApiHandler => dashboardStack(contract, deps, admitVisitor, work);

/** A route of the dashboard that concerns who is signed in, and no business. */
export const sessionRoute = <C extends Contract>(
  contract: C,
  deps: PublicDeps & { readonly sessions: SessionReader },
  work: (request: DashboardRequest<C>, session: Session) => Promise<Reply>,
): ApiHandler =>
  dashboardStack(contract, deps, admitSession(deps), (request, session) => {
    if (!session) throw new Error('The session was not read.');
    return work(request, session);
  });
