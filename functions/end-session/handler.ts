import { sessionDeps } from '#shared/composition/members.ts';
import { endSessionContract } from '#shared/contract/members/sessions.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { sessionRoute } from '#shared/http/dashboard.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { type EndSessionsDeps, endSession } from '#shared/use-cases/members/end-sessions.ts';

/** Ends one of the user's sessions. */
export const endSessionHandler = (deps: PublicDeps & EndSessionsDeps) =>
  sessionRoute(endSessionContract, deps, async ({ params: { id } }, session) => {
    await endSession(deps, session, id);
    return { status: 200, body: { status: true, data: {} } };
  });

export const handler = endSessionHandler(sessionDeps(readEnv(tableEnv, process.env)));
