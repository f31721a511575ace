import { sessionRoute } from '#shared/api/dashboard.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { sessionDeps } from '#shared/members/compose.ts';
import { endSessionContract } from '#shared/members/contract/sessions.ts';
import { type EndSessionsDeps, endSession } from '#shared/members/use-cases/end-sessions.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';

/** Ends one of the user's sessions. */
export const endSessionHandler = (deps: ChainDeps & EndSessionsDeps) =>
  sessionRoute(endSessionContract, deps, async ({ params: { id } }, session) => {
    await endSession(deps, session, id);
    return { status: 200, body: { status: true, data: {} } };
  });

export const handler = endSessionHandler(sessionDeps(readEnv(tableEnv, process.env)));
