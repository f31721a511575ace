import { sessionDeps } from '#shared/composition/members.ts';
import { signOutContract } from '#shared/contract/members/sessions.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { sessionRoute } from '#shared/http/dashboard.ts';
import { setCookie } from '#shared/http/kernel/cookies.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import type { SessionStore } from '#shared/ports/members.ts';

/** Ends the session that asks for it. */
export const signOutHandler = (deps: PublicDeps & { readonly sessions: SessionStore }) =>
  sessionRoute(signOutContract, deps, async ({ event }, session) => {
    await deps.sessions.end(session);
    return { status: 200, body: { status: true, data: {} }, cookies: [setCookie(event, 'session', '', 0)] };
  });

export const handler = signOutHandler(sessionDeps(readEnv(tableEnv, process.env)));
