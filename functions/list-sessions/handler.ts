import { sessionDeps } from '#shared/composition/members.ts';
import { sessionView } from '#shared/contract/members/session-view.ts';
import { listSessionsContract } from '#shared/contract/members/sessions.ts';
import { isSignedIn } from '#shared/domain/members/session.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { sessionRoute } from '#shared/http/dashboard.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { SessionStore } from '#shared/ports/members.ts';

/** More than a person has browsers. Those beyond end with the others once a passkey is removed or reset. */
const MOST_SHOWN = 100;

/** Lists where the user is signed in. */
export const listSessionsHandler = (deps: PublicDeps & Pick<Runtime, 'now'> & { readonly sessions: SessionStore }) =>
  sessionRoute(listSessionsContract, deps, async (_, session) => {
    const open = (await deps.sessions.list(session.userId)).filter((one) => isSignedIn(one, deps.now()));
    return {
      status: 200,
      body: { status: true, data: open.slice(0, MOST_SHOWN).map((one) => sessionView(one, session)) },
    };
  });

export const handler = listSessionsHandler(sessionDeps(readEnv(tableEnv, process.env)));
