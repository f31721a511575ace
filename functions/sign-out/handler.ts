import { sessionRoute } from '#shared/api/dashboard.ts';
import { setCookie } from '#shared/api/http/cookies.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { sessionDeps } from '#shared/members/compose.ts';
import { signOutContract } from '#shared/members/contract/sessions.ts';
import type { SessionStore } from '#shared/members/ports.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';

/** Ends the caller's session. */
export const signOutHandler = (deps: ChainDeps & { readonly sessions: SessionStore }) =>
  sessionRoute(signOutContract, deps, async ({ event }, session) => {
    await deps.sessions.end(session);
    return { status: 200, body: { status: true, data: {} }, cookies: [setCookie(event, 'session', '', 0)] };
  });

export const handler = signOutHandler(sessionDeps(readEnv(tableEnv, process.env)));
