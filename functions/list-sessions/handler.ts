import { sessionRoute } from '#shared/api/dashboard.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { sessionDeps } from '#shared/members/compose.ts';
import { sessionView } from '#shared/members/contract/session-view.ts';
import { listSessionsContract } from '#shared/members/contract/sessions.ts';
import { isSignedIn } from '#shared/members/domain/session.ts';
import type { SessionStore } from '#shared/members/ports.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';
import type { Runtime } from '#shared/platform/ports.ts';

/**
 * Maximum number of sessions that are listed: more than a person has browsers. The user cannot end a session that is not listed,
 * but it ends with the others if a passkey is removed or reset.
 */
const MAX_SHOWN = 100;

/** Lists the user's open sessions. */
export const listSessionsHandler = (deps: ChainDeps & Pick<Runtime, 'now'> & { readonly sessions: SessionStore }) =>
  sessionRoute(listSessionsContract, deps, async (_, session) => {
    const open = (await deps.sessions.list(session.userId)).filter((entry) => isSignedIn(entry, deps.now()));
    return {
      status: 200,
      body: { status: true, data: open.slice(0, MAX_SHOWN).map((entry) => sessionView(entry, session)) },
    };
  });

export const handler = listSessionsHandler(sessionDeps(readEnv(tableEnv, process.env)));
