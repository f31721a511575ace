import { startSignInDeps } from '#shared/composition/members.ts';
import { startSignInContract } from '#shared/contract/members/sign-in.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { CODE_LIFETIME } from '#shared/domain/members/sign-in.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { mailingEnv } from '#shared/env/members.ts';
import { signInRoute } from '#shared/http/dashboard.ts';
import { readCookie, setCookie } from '#shared/http/kernel/cookies.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { type StartSignInDeps, startSignIn } from '#shared/use-cases/members/start-sign-in.ts';

const SECONDS = CODE_LIFETIME / SECOND;

/** Has a code mailed to whoever wants to sign in. */
export const startSignInHandler = (deps: PublicDeps & StartSignInDeps) =>
  signInRoute(startSignInContract, deps, async ({ body: { email }, event, from }) => {
    const { cookie } = await startSignIn(deps, { email, from, waiting: readCookie(event, 'sign-in') });
    return {
      status: 202,
      body: { status: true, data: { code_expires_in: SECONDS } },
      cookies: [setCookie(event, 'sign-in', cookie, SECONDS)],
    };
  });

export const handler = startSignInHandler(startSignInDeps(readEnv(mailingEnv, process.env)));
