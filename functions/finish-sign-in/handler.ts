import { signInRoute } from '#shared/api/dashboard.ts';
import { readCookie, setCookie } from '#shared/api/http/cookies.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { finishSignInDeps } from '#shared/members/compose.ts';
import { meView } from '#shared/members/contract/me-view.ts';
import { finishSignInContract } from '#shared/members/contract/sign-in.ts';
import { SESSION_LIFETIME } from '#shared/members/domain/session.ts';
import { codesEnv } from '#shared/members/env.ts';
import { type FinishSignInDeps, finishSignIn } from '#shared/members/use-cases/finish-sign-in.ts';
import { type ShowMeDeps, showMe } from '#shared/members/use-cases/show-me.ts';
import { readEnv } from '#shared/platform/env.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';

/** Signs a user in with an e-mailed code. */
export const finishSignInHandler = (deps: ChainDeps & FinishSignInDeps & ShowMeDeps) =>
  signInRoute(finishSignInContract, deps, async ({ body: { code }, event, requestOrigin: from }) => {
    const [signInCookie, replacedToken] = [readCookie(event, 'sign-in'), readCookie(event, 'session')];
    const { session, token } = await finishSignIn(deps, { signInCookie: signInCookie, code, from, replacedToken });
    return {
      status: 200,
      body: { status: true, data: meView(session, await showMe(deps, session), deps.now()) },
      cookies: [setCookie(event, 'session', token, SESSION_LIFETIME / SECOND), setCookie(event, 'sign-in', '', 0)],
    };
  });

export const handler = finishSignInHandler(finishSignInDeps(readEnv(codesEnv, process.env)));
