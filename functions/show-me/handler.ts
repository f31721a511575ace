import { sessionRoute } from '#shared/api/dashboard.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { sessionDeps } from '#shared/members/compose.ts';
import { meView } from '#shared/members/contract/me-view.ts';
import { showMeContract } from '#shared/members/contract/sessions.ts';
import { type ShowMeDeps, showMe } from '#shared/members/use-cases/show-me.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';

/** Shows the signed-in user and the user's businesses. */
export const showMeHandler = (deps: ChainDeps & ShowMeDeps) =>
  sessionRoute(showMeContract, deps, async (_, session) => ({
    status: 200,
    body: { status: true, data: meView(session, await showMe(deps, session), deps.now()) },
  }));

export const handler = showMeHandler(sessionDeps(readEnv(tableEnv, process.env)));
