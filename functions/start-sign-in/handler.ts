import { signInRoute } from '#shared/api/dashboard.ts';
import { readCookie, setCookie } from '#shared/api/http/cookies.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { startSignInDeps } from '#shared/members/compose.ts';
import { startSignInContract } from '#shared/members/contract/sign-in.ts';
import { CODE_LIFETIME } from '#shared/members/domain/sign-in.ts';
import { startSignInEnv } from '#shared/members/env.ts';
import { type StartSignInDeps, startSignIn } from '#shared/members/use-cases/start-sign-in.ts';
import { readEnv } from '#shared/platform/env.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';

const CODE_LIFETIME_SECONDS = CODE_LIFETIME / SECOND;

/** Begins a sign-in, and queues the e-mail with its code. */
export const startSignInHandler = (deps: ChainDeps & StartSignInDeps) =>
  signInRoute(startSignInContract, deps, async ({ body: { email }, event, requestOrigin: from }) => {
    const { cookie } = await startSignIn(deps, {
      email,
      requestOrigin: from,
      previousCookie: readCookie(event, 'sign-in'),
    });
    return {
      status: 202,
      body: { status: true, data: { code_expires_in: CODE_LIFETIME_SECONDS } },
      cookies: [setCookie(event, 'sign-in', cookie, CODE_LIFETIME_SECONDS)],
    };
  });

export const handler = startSignInHandler(startSignInDeps(readEnv(startSignInEnv, process.env)));
