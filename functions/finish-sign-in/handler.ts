import { finishSignInDeps } from '#shared/composition/members.ts';
import { meView } from '#shared/contract/members/me-view.ts';
import { finishSignInContract } from '#shared/contract/members/sign-in.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { SESSION_LIFETIME } from '#shared/domain/members/session.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { codesEnv } from '#shared/env/members.ts';
import { signInRoute } from '#shared/http/dashboard.ts';
import { readCookie, setCookie } from '#shared/http/kernel/cookies.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { type FinishSignInDeps, finishSignIn } from '#shared/use-cases/members/finish-sign-in.ts';
import { type ShowMeDeps, showMe } from '#shared/use-cases/members/show-me.ts';

/** Signs somebody in with the code that was mailed. */
export const finishSignInHandler = (deps: PublicDeps & FinishSignInDeps & ShowMeDeps) =>
  signInRoute(finishSignInContract, deps, async ({ body: { code }, event, from }) => {
    const [waiting, replacedToken] = [readCookie(event, 'sign-in'), readCookie(event, 'session')];
    const { session, token } = await finishSignIn(deps, { waiting, code, from, replacedToken });
    return {
      status: 200,
      body: { status: true, data: meView(session, await showMe(deps, session), deps.now()) },
      cookies: [setCookie(event, 'session', token, SESSION_LIFETIME / SECOND), setCookie(event, 'sign-in', '', 0)],
    };
  });

export const handler = finishSignInHandler(finishSignInDeps(readEnv(codesEnv, process.env)));
