import { sessionDeps } from '#shared/composition/members.ts';
import { meView } from '#shared/contract/members/me-view.ts';
import { showMeContract } from '#shared/contract/members/sessions.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { sessionRoute } from '#shared/http/dashboard.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { type ShowMeDeps, showMe } from '#shared/use-cases/members/show-me.ts';

/** Says who is signed in, and to which businesses. */
export const showMeHandler = (deps: PublicDeps & ShowMeDeps) =>
  sessionRoute(showMeContract, deps, async (_, session) => ({
    status: 200,
    body: { status: true, data: meView(session, await showMe(deps, session), deps.now()) },
  }));

export const handler = showMeHandler(sessionDeps(readEnv(tableEnv, process.env)));
